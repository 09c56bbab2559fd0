import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, expect, it } from 'vitest';
import { acquireLock, lockOwner } from '../src/lock-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Node is process 1 of each container: there the pid is our own or nobody's, and the process may live.
const elsewhere = JSON.stringify({ pid: process.pid, startedAt: '1', namespace: 'pid:[1]' });

it('a lock of another container is its own as long as that touches it', async () => {
  const path = join(folder, 'touched');
  writeFileSync(path, elsewhere);
  const owner = new Worker(
    `const { utimesSync } = require('node:fs');
     setInterval(() => utimesSync(${JSON.stringify(path)}, new Date(), new Date()), 500);`,
    { eval: true },
  );
  await once(owner, 'online');
  expect([acquireLock(path), lockOwner(path)]).toEqual([null, null]);
  await owner.terminate();
  const release = acquireLock(path);
  expect(lockOwner(path)?.pid).toBe(process.pid);
  release?.();
}, 30_000);

it('the owner of a lock touches it', async () => {
  const path = join(folder, 'held');
  const release = acquireLock(path);
  const before = statSync(path).mtimeMs;
  await eventually(() => expect(statSync(path).mtimeMs).toBeGreaterThan(before), 10_000);
  release?.();
}, 30_000);
