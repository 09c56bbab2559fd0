import { expect, it } from 'vitest';
import { checkRaces } from './check-races.ts';
import type { RaceLine } from './delete-races.ts';

const raced = (id: string, answer: string, offsetMs = 0): RaceLine => ({
  kind: 'raced',
  title: `race ${id}`,
  id,
  answer,
  offsetMs,
});
const sent = { status: 'sent' };

it('is green when each was deleted or posted', () => {
  const lines = [raced('a', 'deleted'), raced('b', 'already_sending', -4), raced('c', 'already_sent', 9)];
  const { verdicts, figures } = checkRaces(
    lines,
    [{ title: 'race b' }, { title: 'race c' }],
    new Map([
      ['b', sent],
      ['c', sent],
    ]),
  );
  expect(verdicts.isGreen()).toBe(true);
  expect(figures).toEqual({
    races: 3,
    within: 2,
    deleted: 1,
    alreadySending: 1,
    alreadySent: 1,
    deletedAndPosted: 0,
  });
});

it.each([
  ['deleted and posted', raced('a', 'deleted'), ['race a'], [], 'duplicated'],
  ['posted twice', raced('a', 'already_sent'), ['race a', 'race a'], ['a'], 'duplicated'],
  ['refused and never posted', raced('a', 'already_sending'), [], ['a'], 'lost'],
  ['deleted and still there', raced('a', 'deleted'), [], ['a'], 'unexpected'],
  ['another answer', raced('a', 'internal_error'), ['race a'], ['a'], 'unexpected'],
] as const)('turns red: %s', (_what, line, titles, left, verdict) => {
  const { verdicts } = checkRaces(
    [line],
    titles.map(title => ({ title })),
    new Map(left.map(id => [id, sent])),
  );
  expect(verdicts.isGreen()).toBe(false);
  expect(verdicts.counts()[verdict]).toBe(1);
});
