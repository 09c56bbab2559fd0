/** The reads of analytics, where 1,000,000 decks have numbers, a tenth of them in one workspace. */
import { analytics } from '@hookline/analytics';
import { eventually } from '@hookline/testing/eventually';
import { startTestService, type TestService, testCaller } from '@hookline/testing/service-harness';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { defineBench } from '../harness/bench.ts';
import { withClient } from '../harness/postgres.ts';

const nowhere = 'http://127.0.0.1:9';
const env = {
  LOG_LEVEL: 'warn',
  YOUTUBE_API_URL: nowhere,
  YOUTUBE_API_KEY: 'none',
  INSTAGRAM_API_URL: nowhere,
};
const reads = [
  'analytics/decks',
  'analytics/decks?windowDays=365&timezone=Europe/Berlin',
  'analytics/experiments',
].concat(['content/content_N/results', 'analytics/summary', 'analytics/summary?windowDays=365']);

/**
 * A year of decks, those of a workspace far apart in the table. The large workspace compared 120 decks in each of ten
 * experiments, which a worker judges; the others compared twelve, which each read judges.
 */
const fill = `
  insert into analytics.decks (content_id, account_id, app_id, version, versions, tiktok_account_id, posted_at,
    published_at, views, measured_at, experiment_id, experiment_at, experiment_hours, experiment_version, experiment_views)
  select 'content_' || n, 'acct_' || tenant, 'app_' || tenant || '_' || case when trial is null then n % 8 else 0 end, 1,
    jsonb_build_object('1', jsonb_build_object('hook',
      case when trial is null then 'What nobody tells you about hour ' || translate((n % 900)::text, '0123456789', 'abcdefghij')
        else 'Hook ' || n % 3 end,
      'archetype', 'archetype ' || n % 5, 'templateId', 'template ' || n % 3, 'language', 'd' || chr(97 + n % 2),
      'bodyDigest', md5((n / 3)::text))),
    tenant || '_' || n % case tenant when 0 then 40 else 4 end, posted, posted, views, posted + interval '60 hours',
    'experiment_' || tenant || '_' || trial, case when trial is not null then now() - make_interval(days => 30, hours => trial) end,
    48, 1, case when trial is not null then views end
  from (select *, exp(5 + 1.5 * random() + 1.2 * sqrt(-2 * ln(1 - random())) * cos(6.2832 * random()))::bigint as views,
      now() - make_interval(secs => case when trial is null then 3e5 + 31e6 * (n % size) / size else 1.7e6 - n % size end) as posted
    from (select n, size, case when n < 100000 then 0 else n / size end as tenant,
        case when n < 1200 then n / 120 when n >= 100000 and n % size < 12 then 0 end as trial
      from (select n, case when n < 100000 then 100000 else 250 end as size
        from (select (at * 382927 % 1000000)::integer as n from generate_series(1::bigint, 1000000) as at) as a) as b) as c) as d`;

async function prepare(service: TestService): Promise<void> {
  await withClient(service.database.url, async client => {
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as made from pg_index
       where indrelid = 'analytics.decks'::regclass and not indisprimary`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '256MB'; ${fill}`);
    for (const { made } of indexes) await client.query(made);
    await client.query('vacuum analyze analytics.decks');
    await client.query("insert into analytics.lessons values ('app_0_0', 'acct_0', default, now())");
    await eventually(async () => {
      const { rows } = await client.query('select from analytics.verdicts');
      if (rows.length < 10) throw new Error('the experiments were not judged');
    }, 60_000);
  });
}

async function measure(service: TestService, path: string, deckOf: (at: number) => number) {
  const times: number[] = [];
  for (let at = -100; at < 500; at += 1) {
    const deck = deckOf(Math.abs(at));
    const caller = testCaller({ accountId: `acct_${deck < 100_000 ? 0 : Math.floor(deck / 250)}` });
    const beganAt = performance.now();
    const { status, text } = await service.call('GET', `/v1/${path.replace('_N', `_${deck}`)}`, { caller });
    if (at >= 0) times.push(performance.now() - beganAt);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  }
  times.sort((one, other) => one - other);
  return { p50Ms: percentileOf(times, 0.5), p99Ms: percentileOf(times, 0.99) };
}

export const bench = defineBench({
  about: 'the reads of analytics with 1,000,000 results',
  takes: 'about 3 minutes',
  async run({ beginMeasuring }) {
    const service = await startTestService(analytics, { env });
    try {
      await prepare(service);
      beginMeasuring();
      const found = [];
      for (const path of reads) {
        const large = await measure(service, path, at => at * 199);
        const other = await measure(service, path, at => 100_000 + at * 1_799);
        found.push({ path, large, other });
        console.log(path.padEnd(60), JSON.stringify({ large, other }));
      }
      const worstP99Ms = Math.max(...found.flatMap(({ large, other }) => [large.p99Ms, other.p99Ms]));
      return {
        notes: ['One call after the other, signed as by the gateway.'],
        measured: { found, worstP99Ms },
      };
    } finally {
      await service.stop();
    }
  },
});
