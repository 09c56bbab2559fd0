import { parseArgs } from 'node:util';
import { ConfigurationError, inheritedEnvironment } from '@hookline/shared/config';
import { redrive } from './redrive.ts';
import { runCommand } from './run-command.ts';

await runCommand('redrive', async () => {
  const { values } = parseArgs({
    options: {
      go: { type: 'boolean', default: false },
      discard: { type: 'boolean', default: false },
      event: { type: 'string' },
      topic: { type: 'string' },
    },
  });
  if ([values.go, values.discard, values.event !== undefined].filter(Boolean).length > 1) {
    throw new ConfigurationError('--go, --discard and --event exclude each other.');
  }
  const action = values.go ? 'go' : values.discard ? 'discard' : 'show';
  return await redrive(inheritedEnvironment(), { action, topic: values.topic, eventId: values.event }, line =>
    console.log(line),
  );
});
