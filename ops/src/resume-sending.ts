import { resumeSending } from '@hookline/scheduling/ops';
import { defineCommand } from './command.ts';
import { withTarget } from './target.ts';

export const command = defineCommand({
  does: 'lets posts go out again; posts that became due in the meantime follow at each account’s pace',
  options: {
    'nothing-was-lost': {
      type: 'boolean',
      says: 'also where the database seems to have gone back in time; only if you know that it did not',
    },
  },
  async run({ env, values, print }) {
    return await withTarget(env, {}, async target => {
      const resumed = await resumeSending(
        { db: target.openSchema('scheduling'), now: () => new Date() },
        values['nothing-was-lost'],
      );
      if (resumed === 'unsettled') {
        print('The database went back in time: what was sent from it may be sent again.');
        print('Settle that first: npm run ops -- close-after --since <the instant that it is from>.');
        return false;
      }
      print(
        resumed === null
          ? 'Sending was not paused; nothing changed.'
          : `Sending goes on; it was paused since ${resumed.pausedAt.toISOString()}.`,
      );
      return true;
    });
  },
});
