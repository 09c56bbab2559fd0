import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { tarEnd, tarFile } from './tar.rules.ts';

it('is read by tar, whatever the length of a file', () => {
  const at = new Date('2026-11-21T09:00:00Z');
  const files = { 'a/empty': '', 'a/short': 'x', 'a/block': 'y'.repeat(512), long: 'z'.repeat(1_000) };
  const parts = Object.entries(files).flatMap(([name, text]) => tarFile(name, Buffer.from(text), at));
  const archive = Buffer.concat([...parts, tarEnd]);
  const tar = (...args: string[]) => execFileSync('tar', args, { input: archive, encoding: 'utf8' });
  expect(tar('-tf', '-').trim().split('\n')).toEqual(Object.keys(files));
  for (const [name, text] of Object.entries(files)) expect(tar('-xOf', '-', name)).toBe(text);
  expect(() => tarFile('n'.repeat(101), Buffer.alloc(0), at)).toThrow('too long');
});
