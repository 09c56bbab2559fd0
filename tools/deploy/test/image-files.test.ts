import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMissingImports, imageEntries, withImage } from '../image-files.ts';

const images = Object.entries(imageEntries);
const folders = ['ops', 'packages/embedded', 'packages/testing', 'deploy/standalone', 'tools', 'tests'];

describe('the image of a process', () => {
  it.each(images)(
    '%s holds what its entry imports, and what it does not need is left out',
    (image, entry) => {
      withImage(image, root => {
        expect(findMissingImports(root, entry)).toEqual([]);
        const held = folders.filter(folder => existsSync(join(root, folder)));
        expect(held).toEqual(image === 'ops' ? ['ops', 'packages/embedded'] : []);
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
