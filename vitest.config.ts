import { defineConfig } from 'vitest/config';
import { SpreadLongFiles } from './tools/infra/src/spread-long-files.ts';

const excluded = ['**/node_modules/**', '**/.data/**', '**/.cache/**'];
const setUp = ['./tools/infra/src/vitest-setup.ts'];
/**
 * Node imports the modules itself, as in production, and keeps their compiled code: once that is there, a quarter less
 * processor time of the units, 8 % of services. No test replaces a module.
 */
const experimental = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig({
  test: {
    sequence: { sequencer: SpreadLongFiles },
    projects: [
      {
        test: {
          name: 'unit',
          experimental,
          include: ['{packages,services,ops,deploy,tools,bench,tests}/**/*.test.ts'],
          exclude: [...excluded, '**/*.{int,contract,e2e,console}.test.ts'],
          // Far above what any of them needs: the slowest takes 7 s, and 30 s on a machine with a load of 12.
          testTimeout: 90_000,
          // vitest's default on two cores is one; a tenth of these files wait for timers.
          maxWorkers: 3,
          // A worker that reads the product's modules once, not once per file, takes
          // 29 % less processor time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'int',
          experimental,
          include: ['{packages,services,ops,deploy,tools,tests}/**/*.{int,contract}.test.ts'],
          exclude: excluded,
          globalSetup: setUp,
          // Limits for what hangs. Installing the MCP clients in a hook took 61 s on a
          // machine with a load of 20.
          testTimeout: 60_000,
          hookTimeout: 240_000,
          // The files wait most of their time: fourteen of them take 19 % less than with four.
          maxWorkers: 6,
          // As above: 20 % less.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.e2e.test.ts'],
          exclude: [...excluded, '**/distributed.e2e.test.ts'],
          globalSetup: [...setUp, './tests/e2e/started-folder.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Each file runs a whole product, of 350 MB.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'distributed',
          include: ['tests/e2e/distributed.e2e.test.ts'],
          exclude: excluded,
          globalSetup: setUp,
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'console',
          include: ['tests/console/*.console.test.ts'],
          exclude: excluded,
          globalSetup: './tests/console/src/set-up.ts',
          testTimeout: 90_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          // One product for all files. With four, pages wait too long for their turn.
          maxWorkers: 3,
          // A worker reads the modules and starts its browser once, not once per file.
          isolate: false,
        },
      },
    ],
  },
});
