import { parseArgs } from 'node:util';
import { inheritedEnvironment } from '@hookline/shared/config';
import { detachSnapshots } from './detach-snapshots.ts';
import { runCommand } from './run-command.ts';

await runCommand('detach-snapshots', async () => {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      'keep-months': { type: 'string', default: '24' },
    },
  });
  const options = { keepMonths: values['keep-months'], isCheck: values.check };
  return await detachSnapshots(inheritedEnvironment(), options, line => console.log(line));
});
