import { describe, expect, it } from 'vitest';
import { addArticle, lowerFirst } from './features.ts';
import { formOfEnglish } from './line-forms.ts';

describe('formOfEnglish', () => {
  it.each([
    ['Replay a game as a flip book', 'imperative'],
    ['Retrace your steps back to the car', 'imperative'],
    ['Glissade the last bar', 'imperative'],
    ['Group dogs who get along', 'imperative'],
    ['Track habits that matter', 'imperative'],
    ['Water plants on time', 'imperative'],
    ['Log and compare', 'imperative'],
    ['Water reminders for every plant', 'noun'],
    ['Brew timer', 'noun'],
    ['Plan of the week', 'noun'],
    ['Colour balance, so nobody has Black three weeks running', 'noun'],
    ['Fuel and engine hours, with a reminder', 'noun'],
    ['Rest days that do not break your streak', 'noun'],
    ['Three runs a week', 'noun'],
    ['A bell that rings once', 'noun'],
    ['Your race plans and splits', 'noun'],
    ['Every stop on the line', 'noun'],
    ['Automatic, polite reminders for late payers', 'noun'],
    ['Weekly fun limit', 'noun'],
    ['Tells the two people who get the bye', 'predicate'],
    ['Weighs up stores before winter', 'predicate'],
    ['Chases late payers politely', 'predicate'],
    ['Works offline', 'predicate'],
    ['Invoices go out on Friday without you', 'clause'],
    ['The map shows every hive', 'clause'],
    ['Photos stay on your phone', 'clause'],
    ['Labels print on any small printer', 'clause'],
    ['Ring reminders go to whoever climbs the tower', 'clause'],
    ['Warn me ten minutes before the ticket ends', null],
    ['Lock it with your fingerprint', null],
    ['Which planets are up', null],
    ['Sorted by aisle', null],
    ['Quiet by design', null],
    ['No timers', null],
    ['Swiss, round robin or a ladder that never ends', null],
    ['Daily challenge', null],
  ])('%s: %s', (line, form) => {
    expect(formOfEnglish(line)).toBe(form);
  });
});

it.each([
  ['Sketchbook for what you saw', 'a sketchbook for what you saw'],
  ['Apiary map with a pin', 'an apiary map with a pin'],
  ['The wall chart', 'the wall chart'],
  ['Swiss draw sheet', 'a Swiss draw sheet'],
  ['Cloud cover for three nights', 'cloud cover for three nights'],
  ['Notes that sync', 'notes that sync'],
])('%s stands in a sentence as "%s"', (line, phrase) => {
  expect(addArticle(lowerFirst(line))).toBe(phrase);
});
