import type { z } from 'zod';
import { activitiesSchema, readDataFile } from '../data-files.ts';
import { headEnds } from '../listing/line-words.ts';

export type Activities = z.output<typeof activitiesSchema>;
export type Activity = Activities['activities'][number];

const folder = new URL('../../data/activities/', import.meta.url);
const loaded = new Map<string, Activities>();

/** The activities of a deck language. */
export function getActivities(language: string): Activities {
  let activities = loaded.get(language);
  if (!activities) {
    activities = readDataFile(new URL(`${language}.json`, folder), activitiesSchema);
    loaded.set(language, activities);
  }
  return activities;
}

/**
 * The activity of an imperative ("reserve a lane") or a German infinitive; `any` when no word identifies one.
 */
export function activityOf(act: string, language: string): Activity {
  const { activities, lightVerbs } = getActivities(language);
  const any = activities.find(({ id }) => id === 'any')!;
  const words = act
    .toLowerCase()
    .split(/\s+/)
    .map(word => word.replace(/[,.;:!?]+$/, ''));
  // "Platz reservieren, bevor …": the German verb ends its clause. "Check a packet out" does not mean to look
  // at it.
  if (
    language === 'en' &&
    words.slice(1, 5).some(word => /^(?:out|in|off|over|back)$/.test(word)) &&
    words[0] === 'check'
  )
    return any;
  const verb = (language === 'de' ? act.toLowerCase().split(',')[0]!.split(' ').at(-1) : words[0]) ?? '';
  // "See who" is more specific than "see".
  const phrase = words.slice(0, 2).join(' ');
  const byVerb =
    activities.find(({ verbs }) => verbs.includes(phrase)) ??
    activities.find(({ verbs }) => verbs.some(known => isVerbForm(verb, known, language)));
  const head = words.slice(1, endOfHead(words));
  const byThing = activities.find(({ things }) => head.some(word => isThing(word, things, language)));
  // The effect of an unknown verb on a ticket is unknown; only "set" and "keep" let the thing decide.
  return (lightVerbs.includes(verb) ? (byThing ?? byVerb) : byVerb) ?? any;
}

/** German verbs carry prefixes ("abfotografieren"), Spanish ones endings ("reserva", "reservar"). */
function isVerbForm(verb: string, known: string, language: string): boolean {
  if (language === 'de') return verb.endsWith(known);
  return language === 'es' ? verb.startsWith(known) && verb.length <= known.length + 3 : verb === known;
}

/** The head of a German compound is its last part: "Brennplan". */
function isThing(word: string, things: readonly string[], language: string): boolean {
  return language === 'de' ? things.some(thing => word.endsWith(thing)) : things.includes(word);
}

function endOfHead(words: readonly string[]): number {
  const end = words.findIndex((word, i) => i > 1 && headEnds.has(word));
  return end < 0 ? words.length : end;
}
