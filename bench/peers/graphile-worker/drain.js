// The peer: graphile-worker as in its README, or with its local queue and batched completions as in its
// performance notes. Adds jobs that do nothing, runs them, prints one line of JSON.
import { makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';

const [url, mode, countText, concurrencyText] = process.argv.slice(2);
const concurrency = Number(concurrencyText);

const worker =
  mode === 'batched'
    ? {
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      }
    : { concurrentJobs: concurrency, maxPoolSize: 10 };
const silent = { error() {}, warn() {}, info() {}, debug() {} };
const { Logger } = await import('graphile-worker');
const logger = new Logger(() => (level, message) => silent[level]?.(message));
const preset = { worker: { connectionString: url, ...worker } };

const utils = await makeWorkerUtils({ preset, logger });
await utils.migrate();
const pool = new pg.Pool({ connectionString: url, max: 2 });

async function drain(count, isMeasured) {
  await pool.query(
    `select graphile_worker.add_jobs(array(
       select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'noop', 'payload', json_build_object('n', n)))
       from generate_series(1, $1::int) n))`,
    [count],
  );
  await pool.query('vacuum analyze graphile_worker._private_jobs');
  let done = 0;
  const finished = Promise.withResolvers();
  if (isMeasured) console.log('begin');
  const cpuBefore = process.cpuUsage();
  const beganAt = performance.now();
  const runner = await run({
    preset,
    logger,
    taskList: {
      noop: async () => {
        done += 1;
        if (done === count) finished.resolve();
      },
    },
  });
  await finished.promise;
  // The last completions may still be in flight.
  for (;;) {
    const { rows } = await pool.query('select 1 from graphile_worker._private_jobs limit 1');
    if (rows.length === 0) break;
  }
  if (isMeasured) console.log('end');
  const ms = performance.now() - beganAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  await runner.stop();
  return { perSecond: (count / ms) * 1000, cpuUs: (user + system) / count };
}

await drain(Math.round(Number(countText) / 5), false);
const result = await drain(Number(countText), true);
await utils.release();
await pool.end();
console.log(JSON.stringify(result));
