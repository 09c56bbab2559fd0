import { releaseAllKeptBack } from '@hookline/scheduling/ops';
import { defineCommand } from './command.ts';
import { withTarget } from './target.ts';

export const command = defineCommand({
  does: 'lets go out, at its time, what a restore keeps back; only after a look at the TikTok accounts',
  async run({ env, print }) {
    return await withTarget(env, {}, async target => {
      const db = target.openSchema('scheduling');
      const count = await releaseAllKeptBack({ db, now: () => new Date() });
      print(`${count} schedules go out at their times.`);
      return true;
    });
  },
});
