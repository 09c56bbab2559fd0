import { fillFrame } from '../frames.ts';
import { isOrder } from '../hook-frames.ts';
import { addArticle, type Feature, lowerFirst } from '../listing/features.ts';
import { toOrder } from '../listing/line-forms.ts';
import { determiners, headEnds } from '../listing/line-words.ts';
import type { Material } from '../listing/material.ts';
import { type Activity, activityOf, getActivities } from './activities.ts';

/**
 * A line of the listing as something to do: `act` is "reserve a lane for the same hour", `thing` its object,
 * "lane".
 */
export type Step = {
  act: string;
  thing: string | null;
  detail: string | null;
  activity: Activity;
  feature: Feature;
};

const wordsMax = 16;

/**
 * The things that the lines of a listing let people do, in order; none when the listing's language is not the
 * deck's.
 */
export function readSteps({ material, language }: { material: Material; language: string }): Step[] {
  if (material.language !== language) return [];
  const known = stepsOf.get(material);
  if (known) return known;
  const steps = readAll(material, language);
  stepsOf.set(material, steps);
  return steps;
}

/** A listing is read once and cached as long as its material is referenced. */
const stepsOf = new WeakMap<Material, Step[]>();

function readAll(material: Material, language: string): Step[] {
  return material.features.flatMap(feature => {
    const act = actOf(feature, language);
    if (act === null || act.split(' ').length > wordsMax) return [];
    const activity = isReminder(feature)
      ? getActivities(language).activities.find(({ id }) => id === 'remind')!
      : activityOf(act, language);
    return [{ act, thing: thingOf(act, language), detail: feature.detail, activity, feature }];
  });
}

/**
 * The line as an imperative. What the app does is what the reader wants done: "Clears out what nobody
 * fetched" becomes "clear out …".
 */
function actOf(feature: Feature, language: string): string | null {
  const phrase = lowerFirst(feature.text, language);
  if (isOrder(feature)) return /^get\b/i.test(phrase) ? null : phrase;
  if (feature.form === 'predicate') return language === 'en' ? toOrder(phrase) : null;
  return feature.form === 'noun' ? useOf(phrase, language) : null;
}

/** "Reminds you to open the damper" is about the damper. */
const isReminder = ({ text, form }: Feature) => form === 'predicate' && /^remind/i.test(text);

/** One works from a "cone chart for orton" but uses a label; null for a thing without a known use. */
function useOf(phrase: string, language: string): string | null {
  const words = phrase.split(' ').map(word => word.replace(/,$/, ''));
  const end = words.findIndex((word, i) => i > 0 && headEnds.has(word));
  const comma = phrase.split(' ').findIndex(word => word.endsWith(','));
  const ends = [end, comma < 0 ? -1 : comma + 1].filter(at => at > 0);
  const head = words[(ends.length > 0 ? Math.min(...ends) : words.length) - 1]!.toLowerCase();
  const use = getActivities(language).uses.find(({ things }) => things.includes(head));
  return use ? fillFrame(use.act, { noun: language === 'en' ? addArticle(phrase) : phrase }) : null;
}

/**
 * The noun that an infinitive phrase opens with, in the form used before a colon: "Probekacheln mit Foto
 * ablegen".
 */
function germanThing(act: string): string | null {
  const [, noun] =
    /^(?:(?:die|den|das|deine?n?|eine?n?|jede[ns]?|alle|\p{Lu}?\p{Ll}+e) )?(\p{Lu}\p{Ll}{3,})(?= |,)/u.exec(
      act,
    ) ?? [];
  return noun === undefined || /^\p{Lu}\p{Ll}+en,/u.test(act) ? null : noun;
}

/**
 * The object of an imperative, in the form used after "the" or "a": "pair each test tile with …" is about a
 * test tile.
 */
function thingOf(act: string, language: string): string | null {
  if (language === 'de') return germanThing(act);
  if (language !== 'en') return null;
  const words = act.replace(/ (\p{L}+) by \1\b/gu, '').split(' ');
  if (!/^(?:a|an|any|each|every|another)$/.test(words[1] ?? '')) return null;
  const rest = words.slice(2);
  const end = rest.findIndex((word, i) => headEnds.has(word) || (i > 0 && determiners.has(word)));
  const thing = rest.slice(0, end < 0 ? rest.length : end);
  const isShort = thing.length >= 1 && thing.length <= 2;
  return isShort && thing.every(word => /^[\p{L}-]+$/u.test(word)) ? thing.join(' ') : null;
}
