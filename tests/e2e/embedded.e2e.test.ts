/** `npm start` on one machine: a newcomer's first and second command, and the failures it survives. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listTree, type ProcessUsage } from '@hookline/standalone/process-tree';
import { eventually } from '@hookline/testing/eventually';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  apiOf,
  approvedDeck,
  type Content,
  postsAtPlatform,
  prepareAccount,
} from '../lab/kit/clients/api.ts';
import { freePorts, type ProductProcess, startProcess } from '../lab/kit/product/processes.ts';
import { newFolder, newPlace, start, stopAll } from './npm-start.ts';

type FirstRun = {
  baseUrl: string;
  simulatorsUrl: string;
  email: string;
  password: string;
  apiKey: string;
  agentKey: string;
  appId: string;
  accountId: string;
  contentId: string;
  waitingContentId: string;
  scheduleId: string;
  imageUrls: string[];
  platformPostUrl: string;
};

let env: Record<string, string>;
let product: ProductProcess;
let firstRun: FirstRun;

beforeAll(async () => {
  env = {
    ...(await newPlace()),
    // A deck that a kill cut short is free for another process after the budget and 12 s.
    LLM_BUDGET_SECONDS: '5',
  };
  product = await start(env);
  firstRun = JSON.parse(readFileSync(join(env.DATA_DIR ?? '', 'first-run.json'), 'utf8'));
});

afterAll(stopAll);

/** Processor time of the product and its Postgres over `seconds`, in percent of one core. */
async function processorPercent(seconds: number): Promise<number> {
  const before = new Map(listTree([product.pid]).map(usage => [usage.pid, usage.cpuMs]));
  const beganMs = performance.now();
  await delay(seconds * 1_000);
  const spentMs = sum(listTree([product.pid]), usage => usage.cpuMs - (before.get(usage.pid) ?? 0));
  return (spentMs / (performance.now() - beganMs)) * 100;
}

function sum(usages: readonly ProcessUsage[], value: (usage: ProcessUsage) => number): number {
  return usages.reduce((total, usage) => total + value(usage), 0);
}

// First, so that no other test's work is in the figures.
describe('npm start at rest after the first journey', () => {
  it('needs under 160 MB of its own', { timeout: 240_000 }, async () => {
    // The drawing thread ends and the product collects its garbage 20 s after the start: 130 to 145 MB stay.
    // What files back, 97 MB, 65 of them Node, counts only in part here, because other tests' processes share
    // it.
    await eventually(async () => {
      const tree = listTree([product.pid]);
      expect(tree.length).toBeGreaterThan(5);
      const text = tree.map(usage => `${usage.name} ${usage.anonymousBytes} ${usage.pssBytes}`).join('\n');
      expect(tree.filter(usage => usage.anonymousBytes === null)).toEqual([]);
      expect(sum(tree, usage => usage.pssBytes ?? 0) / 1_000_000, text).toBeLessThan(260);
      expect(sum(tree, usage => usage.anonymousBytes ?? 0) / 1_000_000, text).toBeLessThan(160);
    }, 200_000);
  });

  it('needs under 2 % of a core', { timeout: 240_000 }, async () => {
    // Other load makes the same work cost more processor time, and the product has just been busy: take the
    // best of sixteen. It is 1.6 to 1.7 % on a calm machine.
    await eventually(async () => expect(await processorPercent(10)).toBeLessThan(2), 160_000);
  });
});

describe('npm start on a fresh data folder', () => {
  it('sends the first post to the platform, exactly once, and says how long it took', async () => {
    const said = /first post ([\d.]+) s after the command/.exec(product.stdout());
    // The goal is 10 s on an otherwise idle machine; here other tests may share its two cores.
    expect(Number(said?.[1])).toBeLessThan(30);
    const posts = await postsAtPlatform(firstRun.simulatorsUrl, 'maya.makes');
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({ mode: 'DIRECT_POST', account: 'maya.makes' });
    expect(posts[0]?.imageDigests).toHaveLength(firstRun.imageUrls.length);
  });

  it('writes first-run.json for its owner alone, with links that open', async () => {
    expect(statSync(join(env.DATA_DIR ?? '', 'first-run.json')).mode & 0o777).toBe(0o600);
    expect(Object.keys(firstRun).sort()).toEqual([
      'accountId',
      'agentKey',
      'apiKey',
      'appId',
      'baseUrl',
      'contentId',
      'email',
      'imageUrls',
      'password',
      'platformPostUrl',
      'scheduleId',
      'simulatorsUrl',
      'waitingContentId',
    ]);
    for (const url of firstRun.imageUrls) {
      const image = await fetch(url);
      expect(image.status).toBe(200);
      expect(image.headers.get('content-type')).toBe('image/jpeg');
      const bytes = Buffer.from(await image.arrayBuffer());
      expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
      expect(bytes.length).toBe(Number(image.headers.get('content-length')));
    }
    const page = await fetch(firstRun.platformPostUrl);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<img');
  });

  it('prints the key of an agent, which can neither approve nor publish, and no other secret', async () => {
    expect(product.stdout()).toContain(firstRun.agentKey);
    for (const secret of [firstRun.apiKey, firstRun.password]) expect(product.stdout()).not.toContain(secret);
    const api = apiOf(firstRun.baseUrl);
    const asked = { token: firstRun.agentKey, body: {} };
    const approved = await api('POST', `/content/${firstRun.contentId}/approve`, asked);
    expect(approved.error?.code).toBe('missing_scope');
    const body = { contentId: firstRun.contentId, tiktokAccountId: firstRun.accountId, mode: 'publish' };
    const published = await api('POST', '/schedules', { token: firstRun.agentKey, body });
    expect(published.error?.code).toBe('missing_scope');
  });

  it('opens the mailbox and the controls of the simulators by the printed link alone', async () => {
    const { simulatorsUrl } = firstRun;
    const controls = [`${simulatorsUrl}/mail`, `${simulatorsUrl}/_control/posts`];
    const statuses = (headers: Record<string, string>) =>
      Promise.all(controls.map(async url => (await fetch(url, { headers })).status));
    expect(await statuses({})).toEqual([403, 403]);
    const link = /Simulated TikTok +(\S+)/.exec(product.stdout())?.[1] ?? '';
    const entered = await fetch(link, { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await statuses({ cookie })).toEqual([200, 200]);
  });

  it('mails nobody: a new password can be asked for, and no mail is written', async () => {
    const asked = await apiOf(firstRun.baseUrl)('POST', '/auth/password-reset', {
      body: { email: firstRun.email },
    });
    expect(asked.status).toBe(202);
    await delay(2_000);
    const mails = await fetch(`${firstRun.simulatorsUrl}/_control/mails`, { headers: controlHeaders });
    expect(await mails.json()).toEqual([]);
  });

  it('an owner exports the workspace', async () => {
    const api = apiOf(firstRun.baseUrl);
    const signedIn = await api<{ session: { token: string } }>('POST', '/auth/sign-in', {
      body: { email: firstRun.email, password: firstRun.password },
    });
    const { token } = signedIn.data.session;
    const exported = await api<{ url: string; status: string }>('POST', '/workspace/exports', { token });
    expect([exported.status, exported.data.status]).toEqual([202, 'ready']);
    const archive = Buffer.from(await (await fetch(exported.data.url)).arrayBuffer());
    const tar = (...args: string[]) => execFileSync('tar', args, { input: archive, encoding: 'utf8' });
    const names = tar('-tzf', '-').trim().split('\n');
    const kinds = new Set(names.map(name => name.split('/')[0]));
    const wanted = [
      'apps',
      'content',
      'credits',
      'accounts',
      'schedules',
      'timelines',
      'events',
      'members',
      'keys',
      'audit',
      'images',
    ];
    expect(wanted.filter(kind => !kinds.has(kind))).toEqual([]);
    const contents = tar('-xzOf', '-', 'content/000001.ndjson').trim().split('\n');
    const ids = contents.map(line => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(expect.arrayContaining([firstRun.contentId, firstRun.waitingContentId]));
    expect((await fetch(`${exported.data.url}x`)).status).toBe(404);
  });

  it('leaves a second slideshow that waits for approval', async () => {
    const answer = await apiOf(firstRun.baseUrl)<Content>('GET', `/content/${firstRun.waitingContentId}`, {
      token: firstRun.apiKey,
    });
    expect(answer.data).toMatchObject({ status: 'ready', approvalStatus: 'pending', appId: firstRun.appId });
    expect(answer.data.images.length).toBeGreaterThan(3);
  });

  it('charged one credit for each slideshow', async () => {
    const api = apiOf(firstRun.baseUrl);
    const credits = await api('GET', '/credits', { token: firstRun.apiKey });
    expect(credits.data).toMatchObject({ balance: 23, granted: 25, spent: 2 });
    const ledger = await api<{ amount: number }[]>('GET', '/credits/ledger', { token: firstRun.apiKey });
    expect(ledger.data.map(row => row.amount).sort()).toEqual([-1, -1, 25]);
  });
});

describe('npm run doctor', () => {
  it('says what is in use, what it costs, and that nothing is wrong', async () => {
    const doctor = startProcess('doctor', 'deploy/standalone/src/doctor.ts', env, ['--seconds', '1']);
    expect(await doctor.exited).toBe(0);
    const text = doctor.stdout();
    for (const word of ['Node ', 'Postgres ', 'Bus ', 'Gateway ', 'Data folder ', 'Nothing is wrong.']) {
      expect(text).toContain(word);
    }
    // A generous bound: the machine is busy with tests. The published idle figures come from a run without
    // other load.
    const megabytes = Number(/Memory \(PSS\)\s+([\d.]+) MB/.exec(text)?.[1]);
    expect(megabytes).toBeGreaterThan(50);
    expect(megabytes).toBeLessThan(500);
  });

  it('names a port that is taken by somebody else', async () => {
    const elsewhere = { ...env, DATA_DIR: newFolder() };
    const doctor = startProcess('doctor', 'deploy/standalone/src/doctor.ts', elsewhere);
    expect(await doctor.exited).toBe(1);
    expect(doctor.stdout()).toMatch(/not running/);
    expect(doctor.stdout()).toMatch(new RegExp(`Port ${env.PORT} .* is taken`));
  });

  it('does not take another process for the product that a crash ended', async () => {
    const elsewhere = { ...env, DATA_DIR: newFolder() };
    const left = { pid: process.pid, gatewayUrl: '', postgres: { port: 1, pid: process.pid } };
    writeFileSync(join(elsewhere.DATA_DIR, 'run.json'), JSON.stringify(left));
    const doctor = startProcess('doctor', 'deploy/standalone/src/doctor.ts', elsewhere);
    await doctor.exited;
    expect(doctor.stdout()).toMatch(/Hookline +not running \(the last run was killed/);
  });
});

/** Follows the link that the start printed and presses its button. */
async function enterConsole(from: ProductProcess): Promise<void> {
  const link = / Console +(\S+)/.exec(from.stdout())?.[1] ?? '';
  expect(link).toMatch(new RegExp(`^http://localhost:${env.PORT}/console/enter\\?token=[\\w-]{32}$`));
  expect(await (await fetch(link)).text()).toContain('Sign in</button>');
  const { origin, searchParams } = new URL(link);
  const entered = await fetch(`${origin}/console/enter`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ token: searchParams.get('token') ?? '' }),
  });
  expect(entered.status).toBe(303);
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const session = await fetch(`${origin}/console/api/v1/auth/session`, { headers: { cookie } });
  const { data } = (await session.json()) as { data: { user: { email: string } } };
  expect(data.user.email).toBe(firstRun.email);
}

describe('npm start again', () => {
  it('ends clean at Ctrl-C and keeps everything at the next start, on another port too', async () => {
    const decks = () => apiOf(firstRun.baseUrl)<Content[]>('GET', '/content', { token: firstRun.apiKey });
    const before = await decks();
    product.signal('SIGINT');
    expect(await product.exited).toBe(0);
    const oldUrl = firstRun.baseUrl;
    env.PORT = String((await freePorts(1))[0]);
    firstRun = { ...firstRun, baseUrl: `http://localhost:${env.PORT}/api/v1` };
    product = await start(env);
    expect(JSON.parse(readFileSync(join(env.DATA_DIR ?? '', 'first-run.json'), 'utf8'))).toEqual(firstRun);
    expect(product.stdout()).not.toContain(new URL(oldUrl).origin);
    expect(product.stdout()).toContain(join(env.DATA_DIR ?? '', 'first-run.json'));
    expect((await decks()).data.map(({ id }) => id)).toEqual(before.data.map(({ id }) => id));
    await enterConsole(product);
    for (const secret of [firstRun.apiKey, firstRun.agentKey, firstRun.password]) {
      expect(product.stdout()).not.toContain(secret);
    }
    const api = apiOf(firstRun.baseUrl);
    const content = await api<Content>('GET', `/content/${firstRun.contentId}`, { token: firstRun.apiKey });
    expect(content.data).toMatchObject({ status: 'ready', approvalStatus: 'approved' });
    expect(await postsAtPlatform(firstRun.simulatorsUrl, 'maya.makes')).toHaveLength(1);
  });

  const postgresPid = (): number =>
    JSON.parse(readFileSync(join(env.DATA_DIR ?? '', 'run.json'), 'utf8')).postgres.pid;

  it('ends with 1 and says why when its Postgres dies, and recovers at the next start', async () => {
    const ended = product;
    process.kill(postgresPid(), 'SIGKILL');
    // Bounded by the limit of a shutdown, 15 s.
    await eventually(() => expect(ended.isRunning()).toBe(false), 20_000);
    expect(await ended.exited).toBe(1);
    const log = join(env.DATA_DIR ?? '', 'postgres', 'postgres.log');
    expect(ended.output().trim().split('\n').at(-1)).toMatch(/^Postgres \d+ exited unexpectedly \(SIGKILL\)/);
    expect(ended.output()).toContain(log);
    expect(existsSync(join(env.DATA_DIR ?? '', 'run.json'))).toBe(false);
    product = await start(env);
    const api = apiOf(firstRun.baseUrl);
    expect((await api('GET', `/content/${firstRun.contentId}`, { token: firstRun.apiKey })).status).toBe(200);
  });

  it('recovers from kill -9 in the middle of work: ledger and posts right, nothing lost', async () => {
    const prepared = await prepareAccount(firstRun.baseUrl, 'leo.quiet');
    const { api, key, appId, accountId } = prepared;
    const deck = await approvedDeck(prepared);
    const schedule = await api<{ id: string }>('POST', '/schedules', {
      token: key,
      body: {
        contentId: deck.id,
        tiktokAccountId: accountId,
        scheduledFor: new Date(Date.now() + 1_500).toISOString(),
      },
    });
    expect(schedule.status).toBe(201);
    const inFlight = api('POST', '/content', {
      token: key,
      headers: { 'idempotency-key': 'cut-short' },
      body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
    }).catch(() => null);
    await new Promise(resolve => setTimeout(resolve, 60));
    product.signal('SIGKILL');
    await inFlight;
    expect(await product.exited).toBe('SIGKILL');

    product = await start(env);
    await eventually(async () => {
      const row = await api<{ status: string }>('GET', `/schedules/${schedule.data.id}`, { token: key });
      expect(row.data.status).toBe('sent');
    }, 45_000);
    expect(await postsAtPlatform(firstRun.simulatorsUrl, 'leo.quiet')).toHaveLength(1);
    const again = await eventually(async () => {
      const answer = await api<Content>('POST', '/content', {
        token: key,
        headers: { 'idempotency-key': 'cut-short' },
        body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
      });
      expect(answer.status).toBe(201);
      return answer;
    }, 45_000);
    expect(again.data.status).toBe('ready');
    const all = await api<Content[]>('GET', '/content', { token: key });
    const charged = all.data.reduce((total, row) => total + row.costCharged, 0);
    expect(charged).toBe(2);
    const credits = await api('GET', '/credits', { token: key });
    expect(credits.data).toMatchObject({ balance: 23, spent: 2 });
  });
});
