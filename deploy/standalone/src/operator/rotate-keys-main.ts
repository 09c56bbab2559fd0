import { parseArgs } from 'node:util';
import { inheritedEnvironment } from '@hookline/shared/config';
import { rotateKeys } from './rotate-keys.ts';
import { runCommand } from './run-command.ts';

await runCommand('rotate-keys', async () => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  return await rotateKeys(inheritedEnvironment(), values.check, line => console.log(line));
});
