import { listDeletions } from '@hookline/gateway/ops';
import { defineCommand } from './command.ts';
import { withTarget } from './target.ts';

export const command = defineCommand({
  does: 'lists workspaces that wait for their deletion, or that a service has not deleted yet; changes nothing',
  async run({ env, print }) {
    return await withTarget(env, {}, async target => {
      const deletions = await listDeletions(target.openSchema('gateway'));
      if (deletions.length === 0) print('No deletion waits or is under way.');
      for (const { accountId, standing, deleteAt, begunAt, parts } of deletions) {
        print(
          standing === 'deleted' && begunAt
            ? `${accountId}: began at ${begunAt.toISOString()}`
            : `${accountId}: ${standing}, is deleted at ${deleteAt.toISOString()}`,
        );
        for (const { service, deletedAt, dueAt, attempts, note } of parts) {
          const state = deletedAt
            ? 'deleted'
            : dueAt
              ? `waits, ${attempts} calls failed`
              : `confirmed ${standing}`;
          print(`  ${service.padEnd(10)}  ${state}${note ? `: ${note}` : ''}`);
        }
      }
      return true;
    });
  },
});
