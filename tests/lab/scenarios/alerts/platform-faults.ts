import { setTimeout as wait } from 'node:timers/promises';
import { type AlertFault, change, hold, keepDoing, keepDoingAtOnce } from './fault.ts';
import type { Ground } from './ground.ts';

// The alert's window, with seconds for minutes.
const hurriedMs = 30_000;

function ask({ creators: { client } }: Ground, path: string): Promise<unknown> {
  return client.api('GET', path, { token: client.key });
}

/** A YouTube video whose numbers are collected. */
async function registerVideo({ creators: { client } }: Ground, platformPostId: string): Promise<void> {
  const body = { videoId: 'proof', platform: 'youtube', platformPostId };
  const made = await client.api('POST', '/analytics/posts', { token: client.session, body });
  if (made.error) throw new Error(made.text);
}

export const storeFaults: readonly AlertFault[] = [
  {
    name: 'Redis cannot be reached',
    alerts: ['LimiterNotExact'],
    async provoke({ redisWay }) {
      redisWay.cut();
      return async () => redisWay.mend();
    },
  },
  {
    name: 'the day’s units are spent',
    alerts: ['QuotaSpent'],
    async provoke(ground) {
      await registerVideo(ground, 'proofVideo1');
      // The number of calls of a larger product's day.
      return await change(
        ground,
        `insert into analytics.api_limits (credential, bucket, day, spent)
         select credential, bucket, day, 1000000 from analytics.api_limits
         on conflict (credential, bucket) do update set spent = 1000000`,
        'update analytics.api_limits set spent = 0',
      );
    },
  },
  {
    name: 'YouTube answers nobody',
    alerts: ['CollectorsFailing'],
    async provoke(ground) {
      await registerVideo(ground, 'proofVideo2');
      const mends = await Promise.all(
        ['videos_list', 'batch_get_stats'].map(operation =>
          ground.fault({ platform: 'youtube', operation, kind: 'backendError', share: 1 }),
        ),
      );
      const database = await ground.connect();
      // A minute is a second here, so rests and pauses between readings are shorter by the same factor; the
      // day's units still suffice.
      const hurry = keepDoing(
        () =>
          database.query(
            `update analytics.api_limits set spent = 0, failures = 0, paused_until = null;
             update analytics.collections set next_at = now() where platform = 'youtube'`,
          ),
        400,
      );
      return async () => {
        for (const mend of mends) await mend();
        // Successful readings push the others out of the window.
        await wait(hurriedMs);
        await hurry();
      };
    },
  },
  {
    name: 'a slot 20 min past',
    alerts: ['FiringsMissed'],
    async provoke(ground) {
      const { client, accounts } = ground.creators;
      const made = await client.api<{ id: string }>('POST', '/automations', {
        token: client.key,
        body: {
          appId: client.appId,
          tiktokAccountId: accounts[0]?.id,
          format: 'slideshow',
          postingTimes: [{ time: '09:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }],
        },
      });
      if (made.error) throw new Error(made.text);
      return await change(
        ground,
        `update automation.automations set next_fire_at = at,
           posting_times = jsonb_set(posting_times, '{0,time}', to_jsonb(to_char(at at time zone 'UTC', 'HH24:MI')))
         from (select date_trunc('minute', now() - interval '20 min') as at) as slot
         where id = '${made.data.id}'`,
        'select 1',
      );
    },
  },
  {
    name: 'a process gets a quarter of its time',
    alerts: ['EventLoopBlocked'],
    async provoke({ product }) {
      const [one] = product.replicas('analytics');
      return keepDoing(async () => {
        one?.signal('SIGSTOP');
        // Shorter than the scrape interval, so that each scrape covers one.
        await wait(330);
        one?.signal('SIGCONT');
      }, 100);
    },
  },
  {
    name: 'a service dies',
    alerts: ['ServiceDown', 'ReplicaDown'],
    async provoke({ product }) {
      const [one] = product.replicas('analytics');
      if (!one) throw new Error('analytics does not run');
      one.signal('SIGKILL');
      await one.exited;
      return async () => {
        await product.restart(one);
      };
    },
  },
];

/** Last and alone: these faults affect every user of the API. */
export const outageFaults: readonly AlertFault[] = [
  {
    name: 'Kafka cannot be reached',
    alerts: ['BusAway'],
    async provoke({ kafkaWay }) {
      kafkaWay.cut();
      return async () => kafkaWay.mend();
    },
  },
  {
    name: 'a table is locked under many requests',
    alerts: ['PoolExhausted'],
    async provoke(ground) {
      const release = await hold(ground, 'lock table automation.webhooks in access exclusive mode');
      const end = keepDoingAtOnce(20, () => ask(ground, '/webhooks'), 10);
      return async () => {
        await release();
        await end();
      };
    },
  },
  {
    name: 'a database that says nothing',
    alerts: ['DatabaseSilent', 'ApiBudgetBurnsFast', 'ApiBudgetBurns', 'ApiBudgetBurnsSlowly'],
    // The failed requests stay in the six hours of the last one, here six minutes.
    clearsWithinMs: 450_000,
    async provoke(ground) {
      ground.databaseWay.freeze();
      const end = keepDoingAtOnce(10, () => ask(ground, '/webhooks'), 50);
      return async () => {
        ground.databaseWay.mend();
        await end();
      };
    },
  },
];
