import type { SeededRandom } from '@hookline/deck';
import { fillFrame, slotsOf } from '../frames.ts';
import type { DraftedHook } from '../hook-frames.ts';
import { isGoodHook } from '../hook-measure.ts';
import type { Material } from '../listing/material.ts';
import type { Step } from './steps.ts';
import { actingPeople, readPromise, readSubject } from './subject.ts';

/** The words of a listing by slot, with all choices for each; texts that need an empty slot are not used. */
export type Slots = Record<string, readonly (string | number)[]>;

export function slotsFor(material: Material, step: Step | null, count?: number): Slots {
  let named = namedSlots.get(material);
  if (!named) {
    named = readNamed(material);
    namedSlots.set(material, named);
  }
  return { ...named, act: present(step?.act), thing: present(step?.thing), n: present(count) };
}

/** Named slots are read once per listing. */
const namedSlots = new WeakMap<Material, Slots>();

function readNamed(material: Material): Slots {
  const subject = readSubject(material);
  return {
    subject: present(subject),
    // "Pottery firing" works alone, "swim lane" does not.
    doing: present(subject && /[a-z]{3}ing$/.test(subject) ? subject : null),
    promise: present(readPromise(material)),
    aud: actingPeople(material.audiences, material.language),
    group: material.audiences,
  };
}

const present = (value: string | number | null | undefined) => (value == null ? [] : [value]);

const isFillable = (template: string, slots: Slots) =>
  slotsOf(template).every(slot => (slots[slot]?.length ?? 0) > 0);

/** The templates that the listing can fill, in random order, filled. */
export function fillAll(templates: readonly string[], slots: Slots, random: SeededRandom): DraftedHook[] {
  return random.shuffle(templates.filter(template => isFillable(template, slots))).map(skeleton => {
    const values = slotsOf(skeleton).map(slot => [slot, random.pick(slots[slot]!)]);
    return { text: fillFrame(skeleton, Object.fromEntries(values)), skeleton };
  });
}

/** One of the templates, filled. */
export function fillOne(templates: readonly string[], slots: Slots, random: SeededRandom): string {
  return fillAll(templates, slots, random)[0]!.text;
}

export const goodHooks = (hooks: readonly DraftedHook[]) => hooks.filter(({ text }) => isGoodHook(text));
