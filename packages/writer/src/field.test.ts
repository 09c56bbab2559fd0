import { expect, it } from 'vitest';
import { findField } from './field.ts';
import { getLines } from './lines.ts';
import { readTopic } from './topic.ts';

it.each([
  ['holiday gifts for dads', 'en', 'gifts'],
  ['jet lag', 'en', 'sleep'],
  ['how to pay off student loans', 'en', 'money'],
  ['how to talk to your doctor', 'en', 'appointment'],
  ['clothes that last', 'en', 'clothes'],
  ['how to remember names', 'en', 'memory'],
  ['is it worth repairing a toaster?', 'en', 'askWorth'],
  // A question and a comparison want an answer, not advice on what they name (bread, chess).
  ['why is my bread dense?', 'en', 'whyMine'],
  ['why do good employees leave?', 'en', 'whyLeave'],
  ['why are the nights longer in winter?', 'en', undefined],
  ['should we invite colleagues?', 'en', 'askShould'],
  ['online chess vs club chess', 'en', undefined],
  ['warum schimmelt Brot?', 'de', 'why'],
  ['¿por qué hay humedad en las paredes?', 'es', 'why'],
  // The head decides before the rest.
  ['Rückenschmerzen bei der Gartenarbeit', 'de', 'fitness'],
  ['peinados para bodas', 'es', 'style'],
  ['cómo hacer compost en casa', 'es', 'compost'],
  ['quantum chromodynamics', 'en', undefined],
  // A word of a field inside a topic or a word of something else.
  ['how to interview your grandparents', 'en', 'familyHistory'],
  // The last word of a phrase is what it is about; a condition that the field does not know rules it out.
  ['home office lighting', 'en', 'desk'],
  ['birthday cake ideas', 'en', 'baking'],
  ['bedtime routine for toddlers', 'en', 'kidsSleep'],
  ['how to survive a long flight with a baby', 'en', 'travelKids'],
  ['travelling with medication', 'en', 'medication'],
  ['baking without eggs', 'en', undefined],
  ['stargazing with kids', 'en', 'withKids'],
  ['kitchen renovation on a budget', 'en', 'budget'],
  ['does a tattoo on the ribs hurt?', 'en', 'askFact'],
  ['apps for astronomers', 'en', undefined],
  ['rice paper lamps', 'en', undefined],
  ['leadership style', 'en', undefined],
  ['space walks', 'en', undefined],
  ['waiting with toddlers', 'en', 'kids'],
  ['Musik für lange Fahrten', 'de', undefined],
  ['gutes Feedback', 'de', undefined],
  ['Preise vergleichen', 'de', undefined],
  ['viajar por Europa', 'es', 'travel'],
  ['vecinos ruidosos', 'es', 'conflict'],
  ['ropa para una feria', 'es', 'clothes'],
  ['decorar el salón', 'es', undefined],
  ['microphones under 100 dollars', 'en', 'choosing'],
  ['how to dry mushrooms', 'en', 'preserving'],
  ['how to dry shoes', 'en', 'outfits'],
  ['how to start a podcast', 'en', 'newsletter'],
  ['how to start a fire', 'en', undefined],
  ['how to freeze bread', 'en', 'preserving'],
  ['bars of soap', 'en', undefined],
  ["new year's resolutions", 'en', 'routines'],
  ['why do we dream?', 'en', undefined],
  ['garden birds in winter', 'en', 'birds'],
  ['how to coach six-year-olds', 'en', 'coaching'],
  ["Father's Day at home", 'en', 'occasions'],
  ['gifts for Mother’s Day', 'en', 'gifts'],
  ['Imkern für Anfänger', 'de', 'beginners'],
  ['cómo perder la vergüenza al bailar', 'es', 'dance'],
])('"%s" (%s) is about %s', (text, language, name) => {
  expect(findField(readTopic(text, language)!, getLines(language))?.name).toBe(name);
});
