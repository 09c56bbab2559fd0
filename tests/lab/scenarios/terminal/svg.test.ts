import { expect, it } from 'vitest';
import { drawScreen } from './svg.ts';

it('draws text, colours and half blocks where the terminal has them', () => {
  const picture = drawScreen(
    ['\u001b[32;39;49ma\u001b[1;31m<b\u001b[0m', '\u001b[38;2;1;2;3;48;2;4;5;6m▀▀'],
    4,
    'two lines',
  );
  expect(picture.split('\n').slice(3, 5)).toEqual([
    '<text x="14" y="27" textLength="8.4" fill="#d8dee9" xml:space="preserve">a</text>' +
      '<text x="22.4" y="27" textLength="16.8" fill="#e06c75" font-weight="bold" xml:space="preserve">&lt;b</text>',
    '<rect x="14" y="32" width="16.8" height="18" fill="rgb(4,5,6)"/>' +
      '<rect x="14" y="32" width="16.8" height="9" fill="rgb(1,2,3)"/>',
  ]);
});
