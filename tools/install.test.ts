import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findMissingEntries, findUnverifiedEntries } from './complete-lockfile.mjs';
import { ensureInstalled, isInstalled, withLock } from './install.mjs';

const OTHER_PLATFORM = {
  version: '1.0.0',
  integrity: 'sha512-b',
  optional: true,
  os: ['aix'],
  cpu: ['ppc64'],
};
const LOCKED = {
  '': { name: 'x' },
  'packages/own': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b-aix': OTHER_PLATFORM,
};
const INSTALLED = { 'node_modules/a': LOCKED['node_modules/a'] };

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hookline-install-'));
  mkdirSync(join(dir, 'node_modules/a'), { recursive: true });
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function lock(packages: object): void {
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify({ packages }));
}

function installed(packages: object): void {
  writeFileSync(join(dir, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

describe('isInstalled', () => {
  it('accepts what a plain npm ci left, without the binaries of other platforms', () => {
    lock(LOCKED);
    installed(INSTALLED);
    expect(isInstalled(dir)).toBe(true);
  });

  it('accepts a folder that cannot be written', () => {
    lock(LOCKED);
    installed(INSTALLED);
    symlinkSync('none/none', join(dir, 'node_modules/.hookline-installed'));
    expect(isInstalled(dir)).toBe(true);
  });

  it('is false when nothing was installed, or an install was interrupted before npm wrote its record', () => {
    lock(LOCKED);
    expect(isInstalled(dir)).toBe(false);
  });

  it('is false when the lockfile changed after the install', () => {
    lock(LOCKED);
    installed(INSTALLED);
    expect(isInstalled(dir)).toBe(true);
    lock({ ...LOCKED, 'node_modules/a': { version: '2.0.0', integrity: 'sha512-c' } });
    expect(isInstalled(dir)).toBe(false);
  });

  it('is false when a package folder was removed', () => {
    lock(LOCKED);
    installed(INSTALLED);
    rmSync(join(dir, 'node_modules/a'), { recursive: true });
    expect(isInstalled(dir)).toBe(false);
  });

  it('is false when an old Node skipped the binary of this very platform', () => {
    const ours = { ...OTHER_PLATFORM, os: [process.platform], cpu: [process.arch] };
    lock({ ...LOCKED, 'node_modules/b-ours': ours });
    installed(INSTALLED);
    expect(isInstalled(dir)).toBe(false);
  });
});

describe('withLock', () => {
  const say = () => {};

  it('lets one process at a time work', async () => {
    const journal = join(dir, 'journal');
    const script = `
      import { appendFileSync } from 'node:fs';
      import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'install.mjs'))};
      await withLock(${JSON.stringify(join(dir, 'lock'))}, () => {}, async () => {
        appendFileSync(${JSON.stringify(journal)}, 'in ');
        await new Promise(resolve => setTimeout(resolve, 100));
        appendFileSync(${JSON.stringify(journal)}, 'out ');
      });`;
    const processes = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    expect((await Promise.all(processes.map(each => once(each, 'exit')))).map(([code]) => code)).toEqual([
      0, 0, 0,
    ]);
    expect(readFileSync(journal, 'utf8')).toBe('in out in out in out ');
    expect(existsSync(join(dir, 'lock'))).toBe(false);
  });

  it('waits for a living owner and says so once', async () => {
    const path = join(dir, 'lock');
    const lines: string[] = [];
    mkdirSync(path);
    writeFileSync(join(path, 'owner.json'), JSON.stringify({ pid: process.ppid, startTime: 'another' }));
    // Another start time: the pid was reused, so the lock counts as abandoned.
    await withLock(
      path,
      line => lines.push(line),
      async () => {},
    );
    expect(lines).toEqual([]);
    mkdirSync(path);
    const sayAndEnd = (line: string) => {
      lines.push(line);
      rmSync(path, { recursive: true });
    };
    expect(await withLock(path, sayAndEnd, async () => 7)).toBe(7);
    expect(lines).toHaveLength(1);
  });

  it('takes over the lock of a dead owner, and one whose owner died before it wrote its name', async () => {
    const path = join(dir, 'lock');
    const { pid } = spawnSync('true');
    mkdirSync(path);
    writeFileSync(join(path, 'owner.json'), JSON.stringify({ pid, startTime: '' }));
    expect(await withLock(path, say, async () => 'taken')).toBe('taken');
    mkdirSync(path);
    utimesSync(path, new Date(0), new Date(0));
    expect(await withLock(path, say, async () => 'taken')).toBe('taken');
  });

  it('releases when the work fails', async () => {
    const path = join(dir, 'lock');
    await expect(withLock(path, say, () => Promise.reject(new Error('no network')))).rejects.toThrow(
      'no network',
    );
    expect(existsSync(path)).toBe(false);
  });
});

describe('ensureInstalled', () => {
  const binary = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
  const said: string[] = [];

  async function installBy(npm: string): Promise<void> {
    lock({ ...LOCKED, 'node_modules/c-here': binary });
    writeFileSync(join(dir, 'npm'), `#!/bin/sh\ncd "${dir}"; ${npm}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${dir}:${process.env.PATH}` };
    const say = (line: string) => said.push(line);
    await ensureInstalled({ dir, lock: join(dir, 'lock'), what: 'it', env, say });
  }

  it('runs no script of a package, whatever npm allows, and says what it cannot verify', async () => {
    await installBy('echo "$@" > given; mkdir node_modules/c-here');
    expect(readFileSync(join(dir, 'given'), 'utf8')).toMatch(/^ci .*--ignore-scripts/);
    expect(said[1]).toContain('no digest of c-here');
  });

  it('fails, and is tried again, when npm leaves out a binary that it cannot fetch', async () => {
    const refusal = 'npm could not fetch c-here: check the network';
    await expect(installBy('exit 0')).rejects.toThrow(refusal);
    await expect(installBy('exit 0')).rejects.toThrow(refusal);
  });

  it('ends npm with itself', async () => {
    lock(LOCKED);
    writeFileSync(join(dir, 'npm'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const script = `
      import { ensureInstalled } from ${JSON.stringify(join(import.meta.dirname, 'install.mjs'))};
      const [dir, lock] = ${JSON.stringify([dir, join(dir, 'lock')])};
      await ensureInstalled({ dir, lock, what: 'it', env: { PATH: dir + ':' + process.env.PATH }, say() {} });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const children = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    const npm = await vi.waitUntil(children, 10_000);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(143);
    await vi.waitUntil(() => !existsSync(`/proc/${npm}`), 5_000);
  });
});

describe('findUnverifiedEntries', () => {
  it('names what has no digest, except binaries of a platform', () => {
    const { integrity: _, ...unverified } = OTHER_PLATFORM;
    const packages = {
      ...LOCKED,
      'node_modules/b-aix': unverified,
      'node_modules/own': { resolved: 'packages/own', link: true },
      'node_modules/c': { version: '1.0.0' },
    };
    expect(findUnverifiedEntries({ packages })).toEqual(['node_modules/c']);
  });
});

describe('findMissingEntries', () => {
  it('names the platform packages that a locked package asks for and the lockfile lacks', () => {
    const optionalDependencies = { '@x/core-linux-x64-musl': '1.2.3', '@x/core-darwin-arm64': '1.2.3' };
    const packages = {
      'node_modules/@x/core': { version: '1.2.3', optionalDependencies },
      'node_modules/@x/core-darwin-arm64': { version: '1.2.3' },
    };
    expect(findMissingEntries({ packages })).toEqual({
      'node_modules/@x/core-linux-x64-musl': {
        version: '1.2.3',
        os: ['linux'],
        cpu: ['x64'],
        libc: ['musl'],
        optional: true,
      },
    });
  });
});
