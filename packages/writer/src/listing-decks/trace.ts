import type { Material } from '../listing/material.ts';
import { type Activity, getActivities } from './activities.ts';
import { readSteps } from './steps.ts';

/** Every text of an activity that can be a slide, with its slots unfilled. */
export function slidesOfActivity({ advice, lessons, changes, scenes, sparks }: Activity): string[] {
  return [
    ...advice,
    ...lessons.flatMap(({ belief, why, limit }) => [belief, why, limit]),
    ...changes.flatMap(({ old, still }) => [...old, still]),
    ...scenes.flatMap(({ open, close, reveal }) => [open, close, reveal]),
    ...sparks.flatMap(({ recognise, lower, build }) => [recognise, lower, ...build]),
  ];
}

const known = new Map<string, ReadonlySet<string>>();

/**
 * True for a slide (without its clock time) that is a text of an activity or that describes a line of the
 * listing.
 */
export function comesFromListingDeck(slide: string, material: Material, language: string): boolean {
  let slides = known.get(language);
  if (!slides) {
    slides = new Set(getActivities(language).activities.flatMap(slidesOfActivity));
    known.set(language, slides);
  }
  if (slides.has(slide)) return true;
  const lower = slide.toLowerCase();
  return readSteps({ material, language }).some(({ act }) => lower.includes(act.toLowerCase()));
}
