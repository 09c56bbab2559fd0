import { expect, it } from 'vitest';
import { fit, layOut, plain } from './output.ts';

it('plain leaves nothing that moves the cursor, renames the window or reorders the text', () => {
  expect(plain('a\u001b[2Jb\u009b31mc\u0007\u202ed\r\n\te')).toBe('a[2Jb31mcd\n\te');
});

it('fit cuts by columns, between what a reader sees as letters', () => {
  expect(fit('morning\n habits', 20)).toBe('morning habits');
  expect(fit('日本語のテキスト', 7)).toBe('日本語…');
  expect(fit('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…');
});

it('layOut narrows the widest column until the table fits, but no id', () => {
  const [head, row] = layOut(
    [
      ['ID', 'TEXT'],
      ['content_01m8ktty94r5vvke8j264h89n7', 'a hook of many words'],
    ],
    49,
  );
  expect(row).toEqual(['content_01m8ktty94r5vvke8j264h89n7', 'a hook of ma…']);
  expect(head).toEqual(['ID'.padEnd(34), 'TEXT         ']);
});
