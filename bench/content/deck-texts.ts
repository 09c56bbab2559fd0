/** The texts of the deck that every renderer and every template draws. */
export const deckTexts: readonly string[] = [
  '5 habits small enough for a bad day',
  'Put your shoes by the door. That is the whole habit.',
  'Write one line before bed, not a page.',
  'Drink a glass of water before the first coffee.',
  'Pick three habits. Tick them off each evening.',
  'Pebblo keeps it small.',
];
