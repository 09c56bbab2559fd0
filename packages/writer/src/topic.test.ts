import { expect, it } from 'vitest';
import { readTopic } from './topic.ts';

it.each([
  ['how to pay off student loans', 'howTo', 'how to pay off student loans'],
  ['How do I ask for a raise?', 'howTo', 'how to ask for a raise'],
  ['7 ways to use a lemon', 'howTo', 'how to use a lemon'],
  ['organise my wardrobe', 'howTo', 'how to organise your wardrobe'],
  ['holiday gifts for dads', 'choice', 'holiday gifts for dads'],
  ['jet lag', 'problem', 'jet lag'],
  ['5 signs of burnout', 'problem', 'burnout'],
  ['first apartment checklist', 'noun', 'the first apartment checklist'],
  ['Morning routines for nurses', 'noun', 'morning routines for nurses'],
  ['what to pack for a week', 'noun', 'what to pack for a week'],
  ['learning Spanish', 'noun', 'learning Spanish'],
  ['hospital bag: what to leave at home', 'noun', 'the hospital bag'],
  ['Christmas in a small flat', 'noun', 'Christmas in a small flat'],
  ['is oat milk healthy?', 'question', 'this question'],
  ['Why do cats purr', 'why', 'this question'],
  ['iPhone vs Android', 'comparison', 'iPhone or Android'],
  ['cash or card', 'comparison', 'cash or card'],
  ['new parents', 'audience', 'advice for new parents'],
  ['we launched dark mode', 'statement', undefined],
])('%s: %s, %s', (text, form, about) => {
  const topic = readTopic(text, 'en');
  expect([topic?.form, topic?.slots.about]).toEqual([form, about]);
});

it.each([
  ['wie man Kinder zum Lesen bringt', 'de', 'howTo'],
  ['Prüfungsangst', 'de', 'noun'],
  ['Tee oder Kaffee', 'de', 'comparison'],
  ['Lohnt sich ein Balkonkraftwerk?', 'de', 'question'],
  ['cómo dormir mejor', 'es', 'howTo'],
  ['libros para el verano', 'es', 'noun'],
  ['alquilar o comprar', 'es', 'comparison'],
  ['¿vale la pena?', 'es', 'question'],
])('%s (%s): %s', (text, language, form) => expect(readTopic(text, language)?.form).toBe(form));

it('tells a topic once that is too long to be repeated', () => {
  const long = 'the three things that nobody told us before we moved into a flat with four other people';
  const topic = readTopic(long, 'en')!;
  expect([topic.form, topic.title]).toEqual(['statement', null]);
  expect(topic.slots.told).toBe(`T${long.slice(1)}`);
});

it.each(['', '🔥', '{n} {app}', 'x'.repeat(500), 'unlock your potential'])('cannot write about %j', text => {
  expect(readTopic(text, 'en')).toBeNull();
});
