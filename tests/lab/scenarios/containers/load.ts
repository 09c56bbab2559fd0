/**
 * Requests and posts through the ports that docker-compose.yml publishes, until a file appears. A
 * request without an answer is repeated under its idempotency key, as the documentation asks of clients.
 * Prints one line of JSON.
 *   node load.ts <file> <creator> ...
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, approvedDeck, connectCreator, prepareAccount } from '../../kit/clients/api.ts';

const baseUrl = 'http://localhost:8080/api/v1';
// Below the 120 requests a minute of a key, with room for repeats.
const readEveryMs = 1_500;
const postEveryMs = 5_000;
/** A restart of Postgres or of the gateway takes the product away for at most this long. */
const repeatForMs = 240_000;
const settleMs = 240_000;

const [end = '', first = '', ...others] = process.argv.slice(2);
const decks = 6;
const complaints: string[] = [];
const counts = { requests: 0, repeats: 0, lost: 0, schedules: 0, unsent: 0, 'events lost': 0 };
let longestMs = 0;

const client = await prepareAccount(baseUrl, first);
const accountIds = [client.accountId];
for (const creator of others) accountIds.push(await connectCreator(client, creator));
// A deck may have one pending schedule per account.
const pairs: { contentId: string; tiktokAccountId: string }[] = [];
for (let made = 0; made < decks; made += 1) {
  const { id: contentId } = await approvedDeck(client);
  pairs.push(...accountIds.map(tiktokAccountId => ({ contentId, tiktokAccountId })));
}
const schedules: string[] = [];

/** Null when no answer came in time, or the request was refused. */
async function ask<T>(method: string, path: string, body?: unknown): Promise<Answer<T> | null> {
  const headers = { 'idempotency-key': randomBytes(12).toString('hex') };
  const beganMs = performance.now();
  counts.requests += 1;
  let last = '';
  while (performance.now() - beganMs < repeatForMs) {
    const answer = await client
      .api<T>(method, path, { token: client.key, headers, ...(body === undefined ? {} : { body }) })
      .catch((error: Error) => ({ status: 0, text: String(error.cause ?? error) }) as Answer<T>);
    longestMs = Math.max(longestMs, performance.now() - beganMs);
    if (answer.status >= 200 && answer.status < 300) return answer;
    last = `${answer.status} ${answer.text.slice(0, 200)}`;
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
      complaints.push(`${method} ${path} was refused: ${last}`);
      return null;
    }
    counts.repeats += 1;
    await wait(1_000);
  }
  counts.lost += 1;
  complaints.push(`${method} ${path} got no answer: ${last}`);
  return null;
}

async function read(): Promise<void> {
  const paths = [
    '/content?limit=5',
    '/schedules?limit=5',
    '/automations?limit=5',
    '/analytics/summary',
    '/credits',
  ];
  for (let at = 0; !existsSync(end); at += 1) {
    await ask('GET', paths[at % paths.length] ?? '');
    await wait(readEveryMs);
  }
}

async function post(): Promise<void> {
  while (!existsSync(end)) {
    const pair = pairs.shift();
    if (pair === undefined) return;
    const made = await ask<{ id: string }>('POST', '/schedules', {
      ...pair,
      mode: 'publish',
      privacyLevel: 'PUBLIC_TO_EVERYONE',
      scheduledFor: new Date(Date.now() + 2_000).toISOString(),
    });
    if (made) schedules.push(made.data.id);
    await wait(postEveryMs);
  }
}

/** Resources of the feed's events of a kind, in order. */
async function readFeed(type: string): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const page = await ask<{ type: string; data: { id: string } }[]>('GET', `/events?limit=100${after}`);
    if (page === null || page.data.length === 0) return found;
    found.push(...page.data.filter(event => event.type === type).map(event => event.data.id));
    after = `&after=${encodeURIComponent((JSON.parse(page.text) as { nextCursor: string }).nextCursor)}`;
  }
}

await Promise.all([read(), post()]);
const unsent = new Set(schedules);
const untilMs = performance.now() + settleMs;
while (unsent.size > 0 && performance.now() < untilMs) {
  for (const id of [...unsent]) {
    const answer = await ask<{ status: string; failure: unknown }>('GET', `/schedules/${id}`);
    if (answer?.data.status === 'sent') unsent.delete(id);
    if (answer?.data.status === 'failed') {
      complaints.push(`${id} failed: ${JSON.stringify(answer.data.failure)}`);
      unsent.delete(id);
    }
    await wait(600);
  }
}
for (const id of unsent) complaints.push(`${id} was not sent`);
counts.unsent = unsent.size;
counts.schedules = schedules.length;
let published = await readFeed('schedule.published');
while (published.length < schedules.length && performance.now() < untilMs) {
  await wait(2_000);
  published = await readFeed('schedule.published');
}
counts['events lost'] = schedules.filter(id => !published.includes(id)).length;
if (counts['events lost'] > 0) complaints.push(`${counts['events lost']} events are not in the feed`);
if (published.length > new Set(published).size) complaints.push('an event is twice in the feed');
const unasked = published.filter(id => !schedules.includes(id)).length;
if (unasked > 0) complaints.push(`${unasked} schedules exist that no answer named`);
console.log(JSON.stringify({ ...counts, 'longest wait s': Math.round(longestMs / 1_000), complaints }));
