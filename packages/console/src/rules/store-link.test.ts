import { expect, it } from 'vitest';
import { nameFromLink } from './store-link.ts';

it.each([
  ['https://apps.apple.com/us/app/stone-garden/id9990000011', 'Stone Garden'],
  ['https://apps.apple.com/app/caf%C3%A9/id1', 'Café'],
  ['https://apps.apple.com/us/app/100%-focus/id1', '100% Focus'],
  ['https://play.google.com/store/apps/details?hl=en&id=com.example.pebblo', 'Pebblo'],
  ['https://apps.apple.com/us/app/id9990000011', ''],
  ['anything else', ''],
])('%s suggests “%s”', (link, name) => {
  expect(nameFromLink(link)).toBe(name);
});
