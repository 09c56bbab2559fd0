import { findPromisedCount } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { openingOf, similarityOf } from '../distinct.ts';
import { fillFrame, slotsOf, writtenLanguages } from '../frames.ts';
import { isGoodHook } from '../hook-measure.ts';
import { hasBannedPhrase, hasClaim } from '../text-filters.ts';
import { type Activity, activityOf, getActivities } from './activities.ts';
import { slidesOfActivity } from './trace.ts';

const sample = {
  n: 7,
  act: 'reserve a lane',
  thing: 'lane',
  subject: 'swim lane',
  doing: 'bread baking',
  promise: 'book your lane early',
  aud: 'swimmers',
  group: 'swimmers',
};
const fillSample = (text: string) => fillFrame(text, { ...sample, hook: 'Hook', scene: 'it is done' });

/** The slides that are adjacent in a deck. */
const orders = ({ lessons, changes, sparks }: Activity) => [
  ...lessons.map(({ belief, why, limit }) => [belief, why, limit]),
  ...changes.map(({ old, still }) => [...old, still]),
  ...sparks.map(({ recognise, lower, build }) => [recognise, lower, ...build]),
];

describe.each(writtenLanguages)('the activities in %s', language => {
  const { activities, frames } = getActivities(language);
  const slides = activities.flatMap(slidesOfActivity);
  const reasons = activities.flatMap(({ why, after }) => [...why, ...after]);
  const covers = activities.flatMap(({ lessons, changes, scenes, sparks }) =>
    [...lessons, ...changes, ...scenes, ...sparks].flatMap(({ hooks }) => hooks),
  );

  it('have whole sentences of 3 to 24 words, in which nobody says "I"', () => {
    for (const text of slides) {
      const words = text.split(/\s+/).length;
      expect([text, words >= 3 && words <= 26 && text.length <= 160]).toEqual([text, true]);
    }
    for (const text of [...slides, ...reasons]) {
      expect(text).toMatch(/^["„“¿¡\p{Lu}\d].*[.!?]["”]?$/u);
      expect(text).not.toMatch(/ {2}|\{|\b(\w{3,}) \1\b/i);
      expect(language === 'en' && /\b(?:I|my|mine)\b/.test(text)).toBe(false);
    }
  });

  it('use no banned phrase and claim nothing', () => {
    const captions = activities.flatMap(activity => activity.captions);
    const all = [...slides, ...reasons, ...captions, ...covers.map(fillSample)];
    expect(all.filter(text => hasBannedPhrase(text) || hasClaim(text))).toEqual([]);
    for (const caption of captions)
      expect([caption, caption.length >= 60 && caption.length <= 220]).toEqual([caption, true]);
  });

  it('say nothing twice, and no slide begins like the one before', () => {
    const alike = slides.flatMap((one, i) =>
      slides
        .slice(i + 1)
        .filter(other => similarityOf(one, other) >= 0.6)
        .map(other => [one, other]),
    );
    expect(alike).toEqual([]);
    const sameOpening = activities
      .flatMap(orders)
      .flatMap(texts => texts.filter((text, i) => i > 0 && openingOf(text) === openingOf(texts[i - 1]!)));
    expect(sameOpening).toEqual([]);
  });

  it('have covers of the right measure, that promise a count only where one is filled in', () => {
    const wrong = covers
      .map(fillSample)
      .filter(hook => !isGoodHook(hook) || findPromisedCount(hook) !== null);
    expect(wrong).toEqual([]);
    const lists = [...activities.flatMap(activity => activity.lists), ...frames.lists].map(fillSample);
    expect(lists.filter(hook => !isGoodHook(hook) || findPromisedCount(hook) !== 7)).toEqual([]);
  });

  it('have covers of each kind that any listing can fill', () => {
    const thin = activities.flatMap(({ id, lessons, changes, scenes, sparks }) =>
      [...lessons, ...changes, ...scenes, ...sparks]
        .filter(({ hooks }) => !hooks.some(hook => slotsOf(hook).length === 0))
        .map(({ hooks }) => [id, ...hooks]),
    );
    expect(thin).toEqual([]);
    for (const kind of ['lessons', 'changes', 'scenes', 'sparks', 'why', 'after', 'advice'] as const)
      expect(activities.filter(activity => activity[kind].length === 0).map(({ id }) => id)).toEqual([]);
  });

  it('have no verb that two of them claim', () => {
    const verbs = activities.flatMap(activity => activity.verbs);
    expect(verbs.filter((verb, i) => verbs.indexOf(verb) !== i)).toEqual([]);
  });
});

describe('activityOf', () => {
  it.each([
    ['reserve a lane for the same hour every week', 'book'],
    ['log the pressure and know whom to ring', 'record'],
    ['keep a sketchbook for what you saw', 'record'],
    ['set an alarm for the space station', 'remind'],
    ['check cloud cover for three nights', 'look'],
    ['work from a shelf plan for a full kiln', 'plan'],
    ['clear out what nobody fetched', 'clear'],
    ['glissade the last bar', 'any'],
  ])('%s: %s', (act, id) => {
    expect(activityOf(act, 'en').id).toBe(id);
  });
});
