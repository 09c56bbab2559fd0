/**
 * G-I4: failures cost nothing, a 402 stores nothing, a replay is free and survives the loss of every process
 * and connection.
 */

import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { apiOf } from '../../kit/clients/api.ts';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';
import type { Prepared } from './accounts.ts';
import { codeOf, type Gateways } from './client.ts';
import type { Told } from './duplicates.ts';

const execute = promisify(execFile);

export async function checkFailures(product: DistributedProduct, gateways: Gateways, account: Prepared) {
  const wrong: string[] = [];
  const { token, appId } = account;
  const balance = async (): Promise<number> =>
    (await apiOf(product.baseUrl)<{ balance: number }>('GET', '/credits', { token })).data.balance;
  const before = await balance();
  const failing = [
    { appId, type: 'hook_video' },
    { appId, type: 'illustrated' },
    { appId, type: 'slideshow', brief: { topic: 'how to kill time with a bomb' } },
  ];
  let failed = 0;
  for (const [index, body] of failing.entries()) {
    const answers = [
      await gateways.post(0, { token, key: `fails-${index}`, body }),
      await gateways.post(1, { token, key: `fails-${index}`, body }),
    ];
    if (answers[0]?.text !== answers[1]?.text)
      wrong.push(`a failed answer is not replayed: ${answers[0]?.text}`);
    if (answers[0]?.text.includes('"status":"failed"')) failed += 1;
  }
  const made = failing.length - failed;
  if (failed < failing.length) wrong.push(`only ${failed} generations failed`);
  if ((await balance()) !== before - made) wrong.push(`balance ${await balance()} after ${failed} failures`);
  for (let left = await balance(); left > 0; left -= 1)
    await gateways.post(left, { token, key: `spend-${left}`, body: { appId, type: 'slideshow' } });
  const request = { token, key: 'after the top-up', body: { appId, type: 'slideshow' } };
  const refused = await Promise.all([0, 1, 2].map(index => gateways.post(index, request)));
  for (const answer of refused)
    if (
      answer.status !== 402 ||
      codeOf(answer) !== 'insufficient_credits' ||
      !answer.text.includes('"insufficient":true')
    )
      wrong.push(`without credits: ${answer.status} ${answer.text}`);
  const args = ['ops/src/main.ts', 'credits', 'grant', '--email', account.email];
  await execute(process.execPath, [...args, '--amount', '1', '--reference', 'top-up'], {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, DATABASE_URL: product.databaseUrl, SIGNUP_CREDITS: '100' },
  });
  const after = await gateways.post(1, request);
  if (after.status !== 201) wrong.push(`after the top-up: ${after.status} ${after.text}`);
  if ((await balance()) !== 0) wrong.push(`balance ${await balance()} after the top-up was spent`);
  return { failed, refused: refused.length, wrong };
}

/**
 * Kills every process, empties Redis, cuts every database connection; each answer must be replayed unchanged
 * afterwards.
 */
export async function checkReplays(
  product: DistributedProduct,
  gateways: Gateways,
  redisUrl: string,
  told: readonly Told[],
) {
  const wrong: string[] = [];
  for (const service of ['gateway', 'content'] as const)
    for (const one of product.replicas(service)) {
      one.signal('SIGKILL');
      await one.exited;
      await product.restart(one);
    }
  const redis = new Redis(redisUrl);
  await redis.flushall();
  redis.disconnect();
  const admin = new pg.Client({ connectionString: product.databaseUrl });
  await admin.connect();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await admin.end();
  let replayed = 0;
  for (const [index, one] of told.entries()) {
    const answer = await insist(() => gateways.post(index, one));
    if (answer.status === 201 && answer.text === one.text && answer.isReplay) replayed += 1;
    else wrong.push(`${one.key}: ${answer.status} ${answer.text.slice(0, 150)}`);
  }
  return { replayed, wrong };
}

/** A cut connection is reported as 502 or 503, which a client repeats. */
async function insist<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (let left = 20; ; left -= 1) {
    const answer = await send().catch(() => null);
    if (answer && answer.status < 500) return answer;
    if (left === 0) throw new Error('no answer after 20 tries');
    await wait(250);
  }
}
