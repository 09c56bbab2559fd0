import { expect, it } from 'vitest';
import { named, readText, textsOf } from '../../test/listings.ts';
import { extractMaterial } from './material.ts';

it('opens with the summary before a later paragraph, and with no question in broken English', () => {
  const openingsOf = (description: string, summary: string | null) =>
    extractMaterial({ ...named('Fogline'), description, summary }).openings;
  const [first] = openingsOf('Fogline.\n\nFog from the pier to the hills.', 'Fog where you walk');
  const praised = '« On en rêve. » 17/20, Manette & Plume\n\nDu brouillard à lire.';
  expect(openingsOf(praised, null)).toEqual(['Du brouillard à lire']);
  expect(first).toBe('Fog where you walk');
  const told = 'Maps of fog drawn by hand. We walked for a year.\n\nTell us where you are. Get three maps.';
  expect(openingsOf(told, null)).not.toContain('Maps of fog drawn by hand');
  const { openings } = extractMaterial({
    ...named('Fogline'),
    name: 'Fogline: Maps of Fog',
    description: told,
  });
  expect(openings[0]).toBe('Maps of fog drawn by hand');
  expect(textsOf(told)).toEqual(['Tell us where you are. Get three maps.']);
  expect(textsOf('Tell us what you think of the fog on your map.')).toEqual([]);
  const items = '- Fog at night\n- Fog by day\n- Fog of a year\n- Zoom in few steps';
  expect(openingsOf(`Your fog hard to see?\n\n${items}`, null)).toEqual([]);
  expect(openingsOf('CHART – See the fog from above.\n\nHORNS – Hear it from afar.', null)).toEqual([]);
});

it('opens with a question that asks which', () => {
  const summary = 'Which fog is it tonight? Grey, white or none.';
  const description = 'Every week we walk.\n\n• Maps of fog\n• Maps of piers';
  expect(extractMaterial({ ...named('Fogline'), description, summary }).openings).toContain(summary);
  expect(textsOf('• Maps of fog\n\nType both. The nearer one turns green.')).toEqual(['Maps of fog']);
});

it('has a long first sentence as the cover rather than the bare name', () => {
  const pitch = `Fogline draws maps for everyone who walks in the fog, ${'from pier to pier, '.repeat(4)}to the hills`;
  const description = `${pitch}.`;
  expect(extractMaterial({ ...named('Fogline'), description, summary: null }).covers).toEqual([pitch]);
});

it.each([
  ['en', 'Hear it. Name it. Sing it back.\n\n• Sing', 'Hear it. Name it. Sing it back.'],
  [
    'es',
    'La ropa de los niños se queda pequeña en tres meses. Véndela en tres minutos.\n\n• Chat',
    'La ropa de los niños se queda pequeña en tres meses. Véndela en tres minutos.',
  ],
  ['el', 'Πότε έρχεται το λεωφορείο;\n\n• Στάσεις', 'Πότε έρχεται το λεωφορείο;'],
  ['zh', '睡不着?先别数羊。\n\n• 离线可用', '睡不着?先别数羊'],
])('opens with all that a pronoun, a question or a short script needs in %s', (language, text, cover) => {
  expect(readText(text, language).openings[0]).toBe(cover);
});

it('begins a cover with the scene that its question asks about, and no slide with what it points at', () => {
  const scene = 'Dienstag um drei am See, zwei sind schon dabei.';
  const { openings } = readText(`${scene} Kommen Sie dazu?\n\nDie Bank bringt Menschen zusammen.`, 'de');
  expect(openings[0]).toBe(`${scene} Kommen Sie dazu?`);
  expect(openings).not.toContain('Kommen Sie dazu?');
  expect(
    textsOf('Quiz per la patente.\n\nCOSA TROVI\n✔ Oltre 7.000 quiz\n✔ Manuale con figure', 'it'),
  ).toEqual(['Quiz per la patente', 'Oltre 7.000 quiz', 'Manuale con figure']);
});

it('opens with the whole of a short paragraph', () => {
  expect(readText('The recipes are in her head. Record them before it is too late.').openings[0]).toBe(
    'The recipes are in her head. Record them before it is too late.',
  );
  const spoken = 'You understand everything she says. You answer in English. Every. Single. Time.';
  expect(readText(spoken).openings[0]).toBe(spoken);
  expect(readText(`${spoken} And in front of everyone she knows.`).openings[0]).toBe(
    'You understand everything she says. You answer in English.',
  );
});

it('takes no subtitle of two words for a cover', () => {
  const coversOf = (name: string) => extractMaterial({ ...named('Fogline'), name }).covers;
  expect(coversOf('Fogline: Fog & Sea')).not.toContain('Fog & Sea');
  expect(coversOf('Fogline: Fog of the Sea')).toContain('Fog of the Sea');
});

it('opens with no sentence in brackets alone', () => {
  expect(readText('Sleep, little one. (And you too.)').openings).toEqual([
    'Sleep, little one. (And you too.)',
    'Sleep, little one',
  ]);
});

it('opens with no bare question about the steps, and lowers capitals before it splits them', () => {
  const { openings } = readText(`THE TRAIL IS NOT WHAT LIES BETWEEN TWO PLACES. IT IS THE PLACE.

How does it work? Every Sunday the map is drawn again.`);
  expect(openings).toEqual([
    'The trail is not what lies between two places. It is the place.',
    'The trail is not what lies between two places',
    'How does it work? Every Sunday the map is drawn again.',
  ]);
});

it('opens with the first line of a listing that marks it', () => {
  const text = '🐶 Your dog just does not speak English yet. 🐶\n\n⭐️⭐️⭐️⭐️⭐️ Rated 4.8 by dog parents!';
  expect(readText(text).openings[0]).toBe('Your dog just does not speak English yet');
});

it('does not open with what the maker says of itself', () => {
  const text = 'Fogline is the lesson I wish I had had.\n\nDid I practise today? Ten minutes are enough.';
  expect(readText(text).openings[0]).toBe('Did I practise today? Ten minutes are enough.');
});

it('opens with "That" and the sentence that says what it is', () => {
  const text =
    'That spider plant has had babies again. Somebody two streets away wants one.\n\nSwap plants nearby.';
  expect(readText(text).openings).toEqual([
    'That spider plant has had babies again. Somebody two streets away wants one.',
    'Swap plants nearby',
  ]);
});

it.each([
  ['en', "That blue. You'll never get it again. Unless you wrote it down."],
  ['en', "It's not dead. It's probably overwatered."],
  ['de', 'Das Heft für alle, die vergessen'],
  ['de', 'Das rote Heft liegt wieder im Bus. Deine Notizen nicht.'],
  ['fr', 'Ce soir, vous sortez. Vos voisins gardent les enfants.'],
  ['es', 'Eso que dijiste en el coche. Aquí no se pierde.'],
  ['pt', 'Isso que você anotou no guardanapo. Aqui não se perde.'],
])('opens in %s with "%s"', (language, opening) => {
  const text = `${opening}\n\n• One line for each day\n• Another one for the night`;
  expect(readText(text, language).openings[0]).toBe(opening);
});

it('opens with a marked line above a heading', () => {
  const text =
    '🚗 Four cars and one school run. What if we shared it?\n\n✨ FEATURES ✨\n👉 One plan for the week';
  expect(readText(text).openings[0]).toBe('Four cars and one school run. What if we shared it?');
});

it.each([
  ['en', 'Fogline puts them in order', 'Fogline puts tides in order'],
  ['de', 'Fogline bringt sie in die richtige Folge', 'Fogline bringt Gezeiten in die richtige Folge'],
  ['es', 'Fogline las pone una detrás de otra', 'Fogline pone las mareas una detrás de otra'],
  ['fr', "Fogline les met l'une après l'autre", "Fogline met les marées l'une après l'autre"],
])('opens in %s not with "%s" but with "%s"', (language, pointing, opening) => {
  expect(readText(`Fogline.\n\n${pointing}.`, language).openings).toEqual([]);
  expect(readText(`Fogline.\n\n${opening}.`, language).openings).toEqual([opening]);
});

it.each([
  ['es', 'Fogline es el carné de salud de tu mascota'],
  ['de', 'Fogline verwaltet Modellbahnen aller Spurweiten (Z, N, TT,\nH0, H0e, 0, 1, G)'],
])('opens with a sentence in %s: %s', (language, opening) => {
  expect(readText(`${opening}.\n\n• Fotos\n• PDF`, language).openings).toEqual([opening.replace('\n', ' ')]);
});

it('does not open with "That" where what it points at is too long', () => {
  const rest = 'Somebody two streets away would give a lot for one of them, if only you knew who it is.';
  const text = `That spider plant has had babies again. ${rest}\n\nSwap plants nearby.`;
  expect(readText(text).openings).toEqual(['Swap plants nearby']);
});

it('opens with no question about itself, no second one of what it leaves out, and no "First,"', () => {
  expect(
    readText(
      'Four forecasts of fog from four countries that never agree on it. One honest answer: do they agree?',
    ).openings,
  ).not.toContain('One honest answer: do they agree?');
  const { openings, lines } = readText(`What is Fogline?

Fogline adds two things that others leave out of their maps. First, it asks you to draw the fog yourself before it is shown on the map.`);
  expect(openings).not.toContain('What is Fogline?');
  expect(lines.map(({ text }) => text).filter(text => text.startsWith('First'))).toEqual([]);
});
