import { setTimeout as wait } from 'node:timers/promises';
import { type AlertFault, hold, keepDoing, keepDoingAtOnce } from './fault.ts';
import type { Ground } from './ground.ts';

let nth = 0;

/** Longer than the lateness threshold: 30 s, with a minute made a second. */
const lockedMs = 1_500;

/** A different content each time, and the next account: none waits for another's pace. */
async function post({ creators, toPost }: Ground): Promise<void> {
  const { client, accounts } = creators;
  const at = nth++;
  const body = {
    contentId: toPost[at % toPost.length],
    tiktokAccountId: accounts[at % accounts.length]?.id,
    mode: 'draft',
  };
  const answer = await client.api('POST', '/schedules', { token: client.key, body });
  if (answer.error) throw new Error(answer.text);
}

const tiktok = { platform: 'tiktok', share: 1 };

export const postingFaults: readonly AlertFault[] = [
  {
    name: 'the platform leaves calls open',
    alerts: ['CallUnsettled'],
    async provoke(ground) {
      const mend = await ground.fault({ ...tiktok, operation: 'content_init', kind: 'slow', delayMs: 8_000 });
      const end = keepDoing(() => post(ground), 1_000);
      return async () => {
        await mend();
        await end();
      };
    },
  },
  {
    name: 'a lock keeps senders from their accounts',
    alerts: ['PostsOverdue'],
    async provoke(ground) {
      const release = await hold(ground, 'lock table scheduling.creators in exclusive mode');
      const end = keepDoing(() => post(ground), 500);
      return async () => {
        await end();
        await release();
      };
    },
  },
  {
    name: 'the platform does not understand us',
    alerts: ['PostsFailing'],
    async provoke(ground) {
      const mend = await ground.fault({ ...tiktok, operation: 'content_init', kind: 'invalid_param' });
      const end = keepDoing(() => post(ground), 1_500);
      return async () => {
        await mend();
        await end();
      };
    },
  },
  {
    name: 'the platform does not say what became of a post',
    alerts: ['OutcomeOpen'],
    async provoke(ground) {
      const mend = await ground.fault({
        ...tiktok,
        operation: 'publish',
        kind: 'slow_processing',
        delayMs: 50_000,
      });
      await post(ground).catch(() => post(ground));
      return mend;
    },
  },
  {
    name: 'senders get at their accounts for a moment at a time',
    alerts: ['PostsLate'],
    async provoke(ground) {
      const database = await ground.connect();
      const endLocks = keepDoing(async () => {
        await database.query('begin; lock table scheduling.creators in exclusive mode');
        await wait(lockedMs);
        await database.query('rollback');
      }, 300);
      const endPosts = keepDoingAtOnce(3, () => post(ground), 500);
      return async () => {
        await endPosts();
        await endLocks();
      };
    },
  },
];
