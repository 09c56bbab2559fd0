import { expect, it } from 'vitest';
import { correctSpelling } from './spelling.ts';

it.each([
  ['en', 'You dont need it, allready. DONT!', "You don't need it, already. DON'T!"],
  ['en', 'Write to dont@fog.example, see fog.wich or wich.example', null],
  ['es', 'Numero de ruta y notificacion facil', 'Número de ruta y notificación fácil'],
  ['it', 'Il numero di notificacion', null],
  ['pt', 'Voce nao perde a medicao do cacao', 'Você não perde a medição do cacao'],
  ['de', 'Wieviel Nebel, und daß er steigt', 'Wie viel Nebel, und dass er steigt'],
  ['fr', 'Deja apres la brume', 'Déjà après la brume'],
  ['ja', 'wich', null],
])('corrects in %s: %s', (language, text, right) => {
  expect(correctSpelling(text, language, 'Fogline')).toBe(right ?? text);
});

it('corrects nothing that is in the name of the app', () => {
  expect(correctSpelling('Dont Wake It tells you what you dont see', 'en', 'Dont Wake It')).toBe(
    "Dont Wake It tells you what you don't see",
  );
});
