import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../test/run-command.ts';
import { listFiles } from '../../test/source-files.ts';
import { findMissingImports, imageEntries, withImage } from '../image-files.ts';

const images = Object.entries(imageEntries);
const folders = [
  'ops',
  'packages/embedded',
  'packages/testing',
  'deploy/standalone',
  'tools',
  'tests',
  'docs',
];
const heldBy: Readonly<Record<string, string[]>> = {
  ops: ['ops', 'packages/embedded'],
  gateway: ['docs'],
  hookline: ['ops', 'packages/embedded', 'deploy/standalone', 'docs'],
};

it('the Dockerfile installs from the manifest of each workspace that the source brings', () => {
  const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const sources = readFileSync(join(ROOT, '.dockerignore'), 'utf8').match(/(?<=^!)packages\/\w+$/gm) ?? [];
  expect(sources).toContain('packages/mcp');
  for (const folder of sources) expect(text).toContain(`COPY ${folder}/package.json ${folder}/`);
});

it('the console is built from the SDK and from contracts that import nothing', () => {
  const imports = listFiles(ROOT, ['.ts', '.tsx'])
    .filter(file => file.startsWith('packages/console/src/'))
    .flatMap(file => [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(/^import (?!type)[^;]* from '@hookline\/([^']+)'/gm),
    ])
    .map(([, name = '']) => name);
  expect(imports).toContain('sdk');
  for (const name of new Set(imports.filter(one => one !== 'sdk'))) {
    const contract = readFileSync(join(ROOT, 'packages', `${name.replace('/', '/src/')}.ts`), 'utf8');
    expect(contract, name).not.toMatch(/^import/m);
  }
});

describe('the image of a process', () => {
  it.each(images)(
    '%s holds what its entry imports, and what it does not need is left out',
    (image, entry) => {
      withImage(image, root => {
        expect(findMissingImports(root, entry)).toEqual([]);
        const held = folders.filter(folder => existsSync(join(root, folder)));
        expect(held).toEqual(heldBy[image] ?? []);
      });
    },
  );

  it('says which file is missing', () => {
    withImage('ops', root => {
      rmSync(join(root, 'services/gateway/src/ops.ts'));
      expect(findMissingImports(root, imageEntries.ops!)[0]).toMatch(
        /imports services\/gateway\/src\/ops\.ts, which is not in the image$/,
      );
    });
  });
});

describe('the whole product on Render, Railway and Fly', () => {
  /** What the product sees that the container's command starts in each of the environments. */
  function startIn(
    ...environments: Record<string, string>[]
  ): { uid: number; owner: number; address?: string }[] {
    return withImage('hookline', root => {
      const entry = join(root, imageEntries.hookline!);
      const DATA_DIR = join(root, 'data');
      mkdirSync(DATA_DIR);
      // A link to the source: replaced, not written.
      rmSync(entry);
      const seen =
        '{ uid: process.getuid(), owner: fs.statSync(process.env.DATA_DIR).uid, address: process.env.PUBLIC_URL }';
      writeFileSync(entry, `import fs from 'node:fs'; console.log(JSON.stringify(${seen}));`);
      chmodSync(root, 0o755);
      return environments.map(env => {
        const command = [join(root, 'deploy/workspace-of.mjs')];
        const options = { cwd: root, env: { DATA_DIR, ...env }, encoding: 'utf8' } as const;
        return JSON.parse(execFileSync(process.execPath, command, options));
      });
    });
  }

  it('takes over a volume of root and goes on as another user', () => {
    const uid = process.getuid?.() || 1000;
    expect(startIn({})).toEqual([{ uid, owner: uid }]);
  });

  it('knows its address, unless PUBLIC_URL names another', () => {
    const started = startIn(
      { RENDER_EXTERNAL_URL: 'https://one.onrender.com' },
      { RAILWAY_PUBLIC_DOMAIN: 'one.up.railway.app' },
      { FLY_APP_NAME: 'one' },
      { FLY_APP_NAME: 'one', PUBLIC_URL: 'https://one.test' },
    );
    expect(started.map(({ address }) => address)).toEqual([
      'https://one.onrender.com',
      'https://one.up.railway.app',
      'https://one.fly.dev',
      'https://one.test',
    ]);
  });

  it('is built, kept and asked alike by the three files', () => {
    const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
    const [service] = parse(read('render.yaml')).services;
    const variables = (service.envVars as { key: string; value: string }[]).map(({ key, value }) => [
      key,
      value,
    ]);
    const { build, deploy } = JSON.parse(read('railway.json'));
    const fly = read('fly.toml');
    const setting = (name: string): string | undefined =>
      new RegExp(`^${name} = "(.*?)"`, 'm').exec(fly)?.[1];
    const ours = ['deploy/Dockerfile', '/data', '/readyz'];
    expect([service.dockerfilePath, service.disk.mountPath, service.healthCheckPath]).toEqual(ours);
    expect([build.dockerfilePath, deploy.requiredMountPath, deploy.healthcheckPath]).toEqual(ours);
    expect(['dockerfile', 'destination', 'path'].map(setting)).toEqual(ours);
    expect(variables).toEqual(variables.map(([name]) => [name, setting(name!)]));
  });
});
