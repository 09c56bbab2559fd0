import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../test/run-command.ts';
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
