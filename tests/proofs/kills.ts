/**
 * `npm run test:kills [-- --minutes N]`: the whole product on one machine, killed with -9 again and again in the
 * middle of work. What was acknowledged must be there afterwards, charged once, posted once, told once.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventually } from '@hookline/testing/eventually';
import { type Prepared, prepareAccount, type Schedule } from '../e2e/support/api.ts';
import { freePorts, type ProductProcess, startProcess, stopAllProcesses } from '../e2e/support/processes.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } });
const runMs = Number(values.minutes) * 60_000;
const creators = 10;
const aliveMs = 3_500;
// The same request is sent again through several kills, and may not be older than a minute then.
const dueInMs = 20_000;

/** One line of the history: what a client was told, and nothing else. */
type Told =
  | { kind: 'content'; user: number; key: string; id: string; text: string }
  | { kind: 'approved'; user: number; contentId: string }
  | { kind: 'schedule'; user: number; id: string; contentId: string };

const folder = mkdtempSync(join(tmpdir(), 'hookline-kills-'));
const historyFile = join(folder, 'history.jsonl');
const [port = 0, simulatorsPort = 0] = await freePorts(2);
const baseUrl = `http://localhost:${port}/api/v1`;
const simulatorsUrl = `http://localhost:${simulatorsPort}`;
const env = {
  DATA_DIR: join(folder, 'data'),
  PORT: String(port),
  SIMULATORS_PORT: String(simulatorsPort),
  // One address plays every user here.
  LIMIT_PER_IP: '100000',
  LIMIT_PER_KEY: '100000',
  LIMIT_CONTENT_PER_KEY: '100000',
};

let product: ProductProcess;
let kills = 0;
let isOver = false;

async function start(): Promise<void> {
  product = startProcess('standalone', 'deploy/standalone/src/main.ts', env);
  await eventually(() => {
    if (!product.isRunning()) throw new Error(`the product ended:\n${product.output().slice(-1_000)}`);
    if (!product.stdout().includes('Ctrl-C stops everything')) throw new Error('not up yet');
  }, 60_000);
}

function tell(told: Told): void {
  appendFileSync(historyFile, `${JSON.stringify(told)}\n`);
}

/** Sends until an answer comes: with the same idempotency key, as a careful client does. */
async function insist<T>(
  send: () => Promise<{ status: number; data: T; text: string }>,
  isDone: (status: number) => boolean,
) {
  for (;;) {
    const answer = await send().catch(() => null);
    if (answer && isDone(answer.status)) return answer;
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429) {
      throw new Error(`unexpected answer ${answer.status}: ${answer.text}`);
    }
    await new Promise(resolve => setTimeout(resolve, 150));
  }
}

async function drive(user: number, client: Prepared): Promise<void> {
  const { api, key, appId, accountId } = client;
  for (let turn = 0; !isOver && turn < 20; turn += 1) {
    const idempotencyKey = `user-${user}-turn-${turn}`;
    const made = await insist<{ id: string; status: string }>(
      () =>
        api('POST', '/content', {
          token: key,
          headers: { 'idempotency-key': idempotencyKey },
          body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
        }),
      status => status === 201,
    );
    tell({ kind: 'content', user, key: idempotencyKey, id: made.data.id, text: made.text });
    const contentId = made.data.id;
    await insist(
      () => api('POST', `/content/${contentId}/approve`, { token: key }),
      status => status === 200,
    );
    tell({ kind: 'approved', user, contentId });
    // The platform takes 6 posts a minute and account; more would only wait.
    if (turn >= 6) continue;
    const body = {
      contentId,
      tiktokAccountId: accountId,
      scheduledFor: new Date(Date.now() + dueInMs).toISOString(),
    };
    const scheduled = await insist<Schedule>(
      () => api('POST', '/schedules', { token: key, headers: { 'idempotency-key': idempotencyKey }, body }),
      status => status === 201,
    );
    tell({ kind: 'schedule', user, id: scheduled.data.id, contentId });
  }
}

async function killAgainAndAgain(): Promise<void> {
  const end = Date.now() + runMs;
  while (Date.now() < end) {
    await new Promise(resolve => setTimeout(resolve, aliveMs + Math.random() * 1_000));
    product.signal('SIGKILL');
    await product.exited;
    kills += 1;
    await start();
  }
  isOver = true;
}

type Findings = Record<'lost' | 'unexpected' | 'duplicated' | 'recovered', number>;

/** Reads the history, the public interface and the platform's own count. */
async function check(clients: readonly Prepared[]): Promise<Findings> {
  const history = readFileSync(historyFile, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Told);
  const findings: Findings = { lost: 0, unexpected: 0, duplicated: 0, recovered: 0 };
  const complain = (kind: keyof Findings, what: string): void => {
    findings[kind] += 1;
    process.stdout.write(`  ${kind}: ${what}\n`);
  };
  for (const [user, client] of clients.entries()) {
    const mine = history.filter(told => told.user === user);
    await checkContents(client, mine, complain);
    await checkSchedules(client, user, mine, complain);
    await checkEvents(client, mine, complain);
  }
  findings.recovered = history.length - findings.lost;
  return findings;
}

type Complain = (kind: keyof Findings, what: string) => void;

async function checkContents({ api, key, appId }: Prepared, mine: Told[], complain: Complain): Promise<void> {
  for (const told of mine) {
    if (told.kind !== 'content') continue;
    const replayed = await api('POST', '/content', {
      token: key,
      headers: { 'idempotency-key': told.key },
      body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
    });
    if (replayed.text !== told.text) complain('lost', `the reply of ${told.id} is another one now`);
  }
  const all = await api<{ id: string; status: string; costCharged: number }[]>('GET', '/content', {
    token: key,
  });
  const ready = all.data.filter(content => content.status === 'ready').length;
  const known = new Set(mine.flatMap(told => (told.kind === 'content' ? [told.id] : [])));
  for (const content of all.data)
    if (!known.has(content.id)) complain('unexpected', `content ${content.id} was never told`);
  const credits = await api<{ balance: number; granted: number; spent: number }>('GET', '/credits', {
    token: key,
  });
  const ledger = await api<{ amount: number }[]>('GET', '/credits/ledger', { token: key });
  const sum = ledger.data.reduce((total, row) => total + row.amount, 0);
  const { balance, granted, spent } = credits.data;
  if (spent !== ready || balance !== granted - ready || sum !== balance) {
    complain('duplicated', `ledger ${sum}, balance ${balance}, spent ${spent}, ready ${ready}`);
  }
}

async function checkSchedules(
  { api, key }: Prepared,
  user: number,
  mine: Told[],
  complain: Complain,
): Promise<void> {
  let sent = 0;
  for (const told of mine) {
    if (told.kind !== 'schedule') continue;
    const row = await eventually(async () => {
      const answer = await api<Schedule>('GET', `/schedules/${told.id}`, { token: key });
      if (answer.data.status !== 'sent' && answer.data.status !== 'failed')
        throw new Error(answer.data.status);
      return answer.data;
    }, 120_000);
    if (row.status === 'sent') sent += 1;
    else complain('lost', `schedule ${told.id} failed: ${row.failure?.code} ${row.failure?.message}`);
  }
  // Counted at the platform only now: a post that is still on its way is no miss.
  const posts = (await (await fetch(`${simulatorsUrl}/_control/posts?account=kills.${user}`)).json()) as {
    imageDigests: string[];
  }[];
  const decks = posts.map(post => post.imageDigests.join());
  if (new Set(decks).size !== decks.length)
    complain('duplicated', `a deck was posted twice to kills.${user}`);
  if (sent !== posts.length)
    complain('unexpected', `${sent} schedules are sent, ${posts.length} posts arrived at kills.${user}`);
}

async function checkEvents({ key }: Prepared, mine: Told[], complain: Complain): Promise<void> {
  const counts = new Map<string, number>();
  let cursor: string | undefined;
  for (;;) {
    const page = await fetch(`${baseUrl}/events?limit=100${cursor ? `&after=${cursor}` : ''}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data, nextCursor } = (await page.json()) as {
      data: { type: string; data: { id: string } }[];
      nextCursor: string;
    };
    for (const event of data) {
      const name = `${event.type} ${event.data.id}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    if (data.length === 0) break;
    cursor = nextCursor;
  }
  for (const told of mine) {
    const name =
      told.kind === 'content'
        ? `job.completed ${told.id}`
        : told.kind === 'approved'
          ? `content.approved ${told.contentId}`
          : `schedule.sent_to_drafts ${told.id}`;
    const count = counts.get(name) ?? 0;
    if (count === 0) complain('lost', `the event ${name}`);
    if (count > 1) complain('duplicated', `the event ${name} stands ${count} times in the feed`);
  }
}

async function main(): Promise<number> {
  await start();
  for (let user = 0; user < creators; user += 1) {
    const creator = {
      privacyLevels: ['SELF_ONLY'],
      draftBehaviour: 'complete',
      openDraftsMax: 100,
      postsPerDayMax: 1_000,
    };
    await fetch(`${simulatorsUrl}/_control/tiktok/accounts/kills.${user}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(creator),
    });
  }
  const clients: Prepared[] = [];
  for (let user = 0; user < creators; user += 1) clients.push(await prepareAccount(baseUrl, `kills.${user}`));
  const driving = clients.map((client, user) => drive(user, client));
  await killAgainAndAgain();
  await Promise.all(driving);
  const findings = await check(clients);
  const isEnough = kills >= Math.floor(runMs / 15_000);
  if (!isEnough) process.stdout.write(`  only ${kills} kills happened in ${runMs / 1000} s\n`);
  const { lost, unexpected, duplicated, recovered } = findings;
  const told = readFileSync(historyFile, 'utf8').trim().split('\n').length;
  process.stdout.write(
    `kills ${kills}, told ${told}, recovered ${recovered}, lost ${lost}, unexpected ${unexpected}, duplicated ${duplicated}\n`,
  );
  return lost + unexpected + duplicated === 0 && isEnough ? 0 : 1;
}

const code = await main().catch(error => {
  process.stdout.write(`the run broke off: ${(error as Error).stack}\n`);
  return 1;
});
await stopAllProcesses();
rmSync(folder, { recursive: true, force: true });
process.exit(code);
