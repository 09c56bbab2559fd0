import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'hookline-data-'));
afterEach(() => {
  for (const name of readdirSync(parent)) rmSync(join(parent, name), { recursive: true });
});
afterAll(() => rmSync(parent, { recursive: true }));

/** What a module's function says where no byte can be written, as on a full disk. */
function onFullDisk(module: string, call: string): string {
  const script = `const { ${call.split('(')[0]}: call } = await import('${join(import.meta.dirname, module)}');
    await (async () => call(${call.split('(')[1]})().catch(error => console.log(error.message));`;
  const limited = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
  const args = ['-c', limited, 'sh', process.execPath, '--input-type=module', '-e', script];
  return spawnSync('sh', args, { encoding: 'utf8', env: { PATH: process.env.PATH } }).stdout;
}

it.each([
  [0o777, 0o711],
  [0o755, 0o711],
  [0o700, 0o700],
])('a data folder of mode %o becomes %o: nobody else lists or changes it', async (before, after) => {
  chmodSync(parent, before);
  await prepareDataFolder(parent);
  expect(statSync(parent).mode & 0o777).toBe(after);
});

it('a full disk fails the start at once and leaves no empty password file', () => {
  const folder = join(parent, 'data');
  expect(onFullDisk('data-folder.ts', `prepareDataFolder('${folder}')`)).toMatch(
    /data folder .* cannot be written \(EFBIG\)/,
  );
  const files = { password: join(parent, 'password'), cluster: join(parent, 'cluster') };
  expect(onFullDisk('postgres-cluster.ts', `loadPassword(${JSON.stringify(files)})`)).toMatch(/^EFBIG/);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(parent)).not.toContain('password');
});
