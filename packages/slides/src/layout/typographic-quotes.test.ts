import { expect, it } from 'vitest';
import { setTypographicQuotes } from './typographic-quotes.ts';

it.each([
  ['en', 'You say "I might". Winter signs up.', 'You say “I might”. Winter signs up.'],
  [
    'en',
    '"Any thoughts?" Ask whether they want the blue one.',
    '“Any thoughts?” Ask whether they want the blue one.',
  ],
  ['en', 'Is it "red" or "blue"?', 'Is it “red” or “blue”?'],
  ['en-GB', '("so")', '(“so”)'],
  ['de', 'Schreib "Nudeln" auf.', 'Schreib „Nudeln“ auf.'],
  ['es', '¿Dices "mañana"?', '¿Dices “mañana”?'],
  ['en', "It's the players' turn, isn't it", 'It’s the players’ turn, isn’t it'],
  ['en', "Why 'just one more, I can't stop' ruins sleep", 'Why ‘just one more, I can’t stop’ ruins sleep'],
  ['en', "Mac 'n' cheese of the '90s", 'Mac ’n’ cheese of the ’90s'],
  ['de', "Schluss mit 'gleich'", 'Schluss mit ‚gleich‘'],
  ['fr', 'Dis "oui", c\'est tout', 'Dis "oui", c’est tout'],
  ['en', 'A shelf of 5\'10" fits a 27" screen', 'A shelf of 5\'10" fits a 27" screen'],
  ['en', 'A 27" screen beside a 24" one', 'A 27" screen beside a 24" one'],
  ['en', 'One " alone stays', 'One " alone stays'],
  ['en', '“already set”', '“already set”'],
  ['ja', '単語を"覚える"', '単語を"覚える"'],
])('%s: %s', (language, text, set) => {
  expect(setTypographicQuotes(text, language)).toBe(set);
});
