import { expect, it } from 'vitest';
import { topicLines } from './topic-lines.ts';

it('a pasted list of topics loses its bullets, numbers, blank lines and repeats, and nothing else', () => {
  const text =
    '- Morning habits\r\n\n  • Habits for travellers \n3. 5 habits in 5 minutes\n12) -20 °C\n* Morning habits';
  expect(topicLines(text)).toEqual([
    'Morning habits',
    'Habits for travellers',
    '5 habits in 5 minutes',
    '-20 °C',
  ]);
  expect(topicLines('\n ')).toEqual([]);
  expect(topicLines('2026 in review\n3.5 hours\n-5 kg')).toEqual(['2026 in review', '3.5 hours', '-5 kg']);
});
