import { pauseSending } from '@hookline/scheduling/ops';
import { ConfigurationError } from '@hookline/shared/kernel';
import { defineCommand } from './command.ts';
import { withTarget } from './target.ts';

const reasonMax = 200;
// Calls in flight have a lease of 8 s to finish.
const underWayMaxMs = 10_000;

export const command = defineCommand({
  does: 'stops every post, everywhere, within seconds; what is due stays due',
  options: {
    reason: { type: 'string', value: 'text', says: 'the reason, shown on the timeline of each post' },
  },
  async run({ env, values, print }) {
    const reason = values.reason?.trim() || null;
    if (reason !== null && reason.length > reasonMax)
      throw new ConfigurationError(`--reason must have at most ${reasonMax} characters.`);
    return await withTarget(env, {}, async target => {
      const db = target.openSchema('scheduling');
      const { pausedAt, isNew, underWay } = await pauseSending(
        { db, now: () => new Date() },
        reason,
        underWayMaxMs,
      );
      const since = pausedAt.toISOString();
      print(isNew ? `Sending is paused since ${since}.` : `Sending was paused already, since ${since}.`);
      if (underWay > 0)
        print(
          `${underWay} calls are still without an answer; they were made before, and settle by themselves.`,
        );
      print('It goes on with: npm run ops -- resume-sending.');
      return true;
    });
  },
});
