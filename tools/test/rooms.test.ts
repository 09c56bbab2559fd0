import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findRoomFaults } from './rooms.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-rooms-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function plant(file: string, lines: number): void {
  const path = join(root, 'services/a/src', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'export {};\n'.repeat(lines));
}

it('reports undeclared folders, absent rooms, rooms that are too large, and index.ts', () => {
  plant('main.ts', 3_000);
  for (let index = 1; index <= 12; index += 1) plant(`full/act-${index}.ts`, 1);
  for (let index = 1; index <= 13; index += 1) plant(`many/act-${index}.ts`, 1);
  plant('full/act-1.test.ts', 3_000);
  plant('long/act.ts', 2_000);
  plant('long/act-more.ts', 1);
  plant('queries/posts.ts', 1);
  plant('full/inner/act.ts', 1);
  plant('posts/index.ts', 1);
  const rooms = { order: ['full', 'many', 'long', 'posts', 'gone'], adapters: [], exceptions: {} };
  expect(findRoomFaults(root, { a: rooms })).toEqual([
    'services/a/src/gone is declared and does not exist',
    'services/a/src/posts/index.ts says nothing',
    'services/a/src/full/inner is not a declared room',
    'services/a/src/long has 2 files and 2001 lines: at most 12 and 2000',
    'services/a/src/many has 13 files and 13 lines: at most 12 and 2000',
    'services/a/src/queries is not a declared room',
  ]);
});
