export const jumpTexts = {
  label: 'Screen, setting, app or words of a deck',
  groups: { screen: 'Screen', app: 'App', setting: 'Settings', deck: 'Deck' },
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  none: 'Nothing has these words.',
} as const;
