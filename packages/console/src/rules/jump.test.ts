import { expect, it } from 'vitest';
import { hasWords } from './jump.ts';

it.each([
  ['To schedule', 'sch', true],
  ['To schedule', 'sched to', true],
  ['To schedule', 'hed', false],
  ['Pebblo – Daily Habits', 'habits peb', true],
  ['Pebblo – Daily Habits', 'habits x', false],
  ['Über den Tag', 'über', true],
  ['Anything', '  ', true],
])('%s has the words “%s”: %s', (name, typed, has) => {
  expect(hasWords(name, typed)).toBe(has);
});
