import { resumeSending } from '@hookline/scheduling/ops';
import { ConfigurationError } from '@hookline/shared/kernel';
import { openDedicatedConnection } from '@hookline/shared/postgres';
import { defineCommand } from './command.ts';
import { settle } from './restore.ts';
import { allSchemas, openTarget, openWitness, withoutBus } from './target.ts';

export const command = defineCommand({
  does: 'settles a database that went back in time by other means than restore: what may have been posted is not sent',
  options: {
    since: {
      type: 'string',
      value: 'time',
      says: 'the instant that the data are from, ISO 8601, such as 2026-11-21T09:00:00Z',
    },
    'without-bus': withoutBus,
  },
  async run({ env, values, print }) {
    const takenAt = readInstant(values.since);
    const target = await openTarget(env, { schemas: allSchemas });
    try {
      const bus = await openWitness(target, values['without-bus']);
      const client = await openDedicatedConnection(target.adminUrl, 'hookline operator', {
        queryTimeoutMs: 0,
      });
      try {
        await client.query('begin');
        await settle(client, { takenAt }, bus, print);
        await client.query('commit');
      } finally {
        await client.end();
      }
      const resumed = await resumeSending({ db: target.openSchema('scheduling'), now: () => new Date() });
      if (resumed === null || resumed === 'unsettled') {
        print('Sending was paused again in the meantime: run this once more.');
        return false;
      }
      print('Sending goes on.');
      return true;
    } finally {
      await target.close();
    }
  },
});

/** @throws ConfigurationError for an invalid instant, or one in the future */
function readInstant(text: string | undefined): string {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text ?? '') ? new Date(text ?? '') : null;
  if (at === null || Number.isNaN(at.getTime()) || at.getTime() > Date.now())
    throw new ConfigurationError(
      '--since must be the past instant that the data are from, with its zone, such as 2026-11-21T09:00:00Z.',
    );
  return at.toISOString();
}
