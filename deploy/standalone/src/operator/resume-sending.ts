import { resumeSending } from '@hookline/scheduling/actions/pause-sending';
import { defineCommand } from './command.ts';
import { openTarget } from './target.ts';

export const command = defineCommand({
  does: 'lets posts go out again; what became due meanwhile follows at each account’s pace',
  async run({ env, print }) {
    const target = await openTarget(env);
    try {
      const resumed = await resumeSending({ db: target.openSchema('scheduling'), now: () => new Date() });
      print(
        resumed === null
          ? 'Sending was not paused; nothing changed.'
          : `Sending goes on; ${resumed.waiting} schedules became due since ${resumed.pausedAt.toISOString()}.`,
      );
      return true;
    } finally {
      await target.close();
    }
  },
});
