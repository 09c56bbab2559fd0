export const jumpTexts = {
  label: 'Screen, app or words of a deck',
  groups: { screen: 'Screen', app: 'App', deck: 'Deck' },
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  none: 'Nothing has these words.',
} as const;
