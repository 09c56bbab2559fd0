import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outsidePath } from '../packages/embedded/src/postgres-binaries.ts';

let dataDir: string;
let outside: string;

beforeEach(() => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-nuke-')));
  outside = outsidePath(join(dataDir, 'postgres'));
  mkdirSync(join(dataDir, 'postgres'));
});
afterEach(() => {
  for (const folder of [dataDir, outside]) rmSync(folder, { recursive: true, force: true });
});

const nuke = () =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'nuke.ts')], {
    env: { ...process.env, DATA_DIR: dataDir },
  });

describe('npm run nuke', () => {
  it('removes nothing while a process of another container holds the folder', async () => {
    const lock = join(dataDir, 'postgres/lock');
    writeFileSync(lock, JSON.stringify({ pid: 7, startedAt: '1', namespace: 'pid:[1]' }));
    const touching = setInterval(() => utimesSync(lock, new Date(), new Date()), 50);
    await expect(nuke()).rejects.toMatchObject({
      code: 1,
      stderr: `hookline: Hookline runs on ${dataDir} (another container): stop it first.\n`,
    });
    clearInterval(touching);
    expect(existsSync(lock)).toBe(true);
  });

  it('ends a Postgres that a kill left running, whatever a full disk made of its run file', async () => {
    const cluster = join(dataDir, 'postgres/cluster');
    for (const folder of [cluster, join(dataDir, 'postgres/run')]) mkdirSync(folder);
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)', cluster]);
    writeFileSync(join(cluster, 'postmaster.pid'), `${left.pid}\n`);
    writeFileSync(join(dataDir, 'postgres/run/pg.json'), '');
    await nuke().finally(() => left.kill());
    expect([left.signalCode, existsSync(dataDir)]).toEqual(['SIGQUIT', false]);
  });

  it('removes the database too where root keeps it outside the folder', async () => {
    mkdirSync(join(outside, 'cluster'), { recursive: true });
    await nuke();
    expect([dataDir, outside].filter(existsSync)).toEqual([]);
  });
});
