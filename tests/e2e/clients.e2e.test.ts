/** The whole journey through both clients, and every snippet of their READMEs, against `npm start`. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Hookline, HooklineError, HooklineSession } from '@hookline/sdk';
import { scopes } from '@hookline/shared/contracts/scopes';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LintersMissing } from '../../tools/openapi/lint.ts';
import { preparePython } from '../../tools/python-venv.ts';
import { repositoryRoot } from '../lab/kit/product/processes.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';
import { startWebhookReceiver } from '../lab/kit/servers/webhook-receiver.ts';

const run = promisify(execFile);
const email = 'maya@example.com';
const password = 'a long enough password';
const folder = mkdtempSync(join(tmpdir(), 'hookline-clients-'));

const receiver = perSuite(startWebhookReceiver);
const product = perSuite(() => startStandalone({ WEBHOOK_ALLOW_TARGETS: receiver.target }));
let session: HooklineSession;
let hookline: Hookline;
/** Of the first run: the snippets work with what `npm start` leaves. */
let firstRun: { apiKey: string; email: string; password: string };
let env: Record<string, string>;

beforeAll(async () => {
  const baseUrl = product.gatewayUrl;
  session = new HooklineSession({ baseUrl });
  session.token = (await session.auth.signUp({ email, password, name: 'Maya' })).session.token;
  const { key = '' } = await session.keys.create({ name: 'Clients', scopes: [...scopes] });
  hookline = new Hookline({ apiKey: key, baseUrl });
  firstRun = JSON.parse(readFileSync(join(product.dataDir, 'first-run.json'), 'utf8'));
  env = { HOOKLINE_API_KEY: firstRun.apiKey, HOOKLINE_BASE_URL: baseUrl, PATH: process.env.PATH ?? '' };
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the TypeScript client', () => {
  it('413 image_too_large for a picture of 11 and of 40 MB, seen by whoever wraps fetch too', async () => {
    const statuses: number[] = [];
    const logging: typeof fetch = async (...call) => {
      const response = await fetch(...call);
      statuses.push(response.status);
      return response;
    };
    const { apiKey } = firstRun;
    const own = new Hookline({ apiKey, baseUrl: product.gatewayUrl, fetch: logging });
    const description = 'Plan a slatted bed frame from what your shop sells, in a minute.';
    const { id } = await own.apps.create({ listing: { name: 'Slate', description } });
    for (const bytes of [11_000_000, 40_000_000]) {
      const refused = await own.apps.addPicture(id, new Uint8Array(bytes)).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'image_too_large', status: 413, requestId: /^req_/ });
    }
    expect(statuses).toEqual([201, 413, 413]);
  });

  it('goes from the link of an app to a draft at the platform', async () => {
    const app = await hookline.apps.create({
      name: 'Pebblo',
      appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011',
    });
    expect((await hookline.apps.get(app.id)).seedHooks?.length).toBeGreaterThan(3);
    const begun = await session.accounts.connectTiktok();
    const page = await fetch(`${begun.authorizeUrl}&as=maya.makes`, {
      headers: { accept: 'application/json' },
    });
    const { state } = ((await page.json()) as { data: { state: string } }).data;
    const account = await session.accounts.finishTiktok({ state });
    const webhook = await hookline.webhooks.create({
      url: receiver.url,
      events: ['schedule.sent_to_drafts'],
    });
    const secret = webhook.secret ?? '';

    const brief = { topic: 'morning habits', templateId: 'quote-card' } as const;
    const deck = await hookline.content.create({ appId: app.id, type: 'slideshow', brief }, { wait: true });
    expect([deck.status, deck.approvalStatus, deck.costCharged]).toEqual(['ready', 'pending', 1]);
    const post = { contentId: deck.id, tiktokAccountId: account.id };
    const early = await hookline.schedules.create(post).catch((error: unknown) => error);
    expect(early).toBeInstanceOf(HooklineError);
    expect(early).toMatchObject({ code: 'not_approved', status: 409, requestId: /^req_/ });
    await hookline.content.approve(deck.id, { version: deck.version });
    expect(await hookline.content.preflight(deck.id, { tiktokAccountId: account.id })).toEqual({
      postable: true,
      problems: [],
    });
    expect((await hookline.schedules.create(post, { dryRun: true })).id).toBeNull();
    const { id } = await hookline.schedules.create(post);
    const sent = await eventually(async () => {
      const schedule = await hookline.schedules.get(id);
      expect(schedule).toMatchObject({ status: 'sent', outcome: 'sent_to_drafts' });
      return schedule;
    }, 20_000);
    expect(sent.timeline.length).toBeGreaterThan(1);

    await eventually(async () => {
      const events = await hookline.events.list({ limit: 1 }).toArray();
      expect(events.map(({ type }) => type)).toEqual([
        'account.connected',
        'job.completed',
        'content.approved',
        'schedule.sent_to_drafts',
      ]);
    }, 10_000);
    expect(await hookline.credits.ledger({ contentId: deck.id }).toArray()).toHaveLength(1);
    const delivery = await eventually(() => {
      const [first] = receiver.received;
      if (!first) throw new Error('nothing was delivered yet');
      return first;
    }, 10_000);
    for (const signature of ['standard', 'service'] as const) {
      const event = await hookline.webhooks.verify(delivery.body, delivery.headers, secret, { signature });
      expect(event).toMatchObject({ type: 'schedule.sent_to_drafts', data: { id } });
    }
  });

  it('does what its README says', async () => {
    mkdirSync(join(folder, 'node_modules/@hookline'), { recursive: true });
    symlinkSync(join(repositoryRoot, 'packages/sdk'), join(folder, 'node_modules/@hookline/sdk'));
    const outputs = await runSnippets('packages/sdk/README.md', 'ts', process.execPath, [
      `import { mintKey } from './snippet-4.ts';\nconsole.log(await mintKey('${firstRun.email}', '${firstRun.password}'));`,
    ]);
    expectOutputs(outputs);
  });
});

describe('the Python client', () => {
  it('does what its README says', async context => {
    const requirements = join(repositoryRoot, 'packages/sdk-python/tests/requirements.txt');
    const venv = await preparePython({
      name: 'sdk-python',
      requirements,
      what: "the Python client's tests",
    }).catch((error: unknown) => {
      if (error instanceof LintersMissing && process.env.CI !== 'true') return context.skip(error.message);
      throw error;
    });
    env.PYTHONPATH = join(repositoryRoot, 'packages/sdk-python');
    env.PYTHONDONTWRITEBYTECODE = '1';
    const outputs = await runSnippets('packages/sdk-python/README.md', 'python', join(venv, 'bin/python'), [
      `from snippet_4 import mint_key\nprint(mint_key("${firstRun.email}", "${firstRun.password}"))`,
    ]);
    expectOutputs(outputs);
  });
});

/** What the snippets print, one after the other, and after them the programs that use their functions. */
async function runSnippets(
  readme: string,
  language: 'ts' | 'python',
  program: string,
  callers: readonly string[],
): Promise<string[]> {
  const text = readFileSync(join(repositoryRoot, readme), 'utf8');
  const fenced = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))];
  const name = (index: number) => (language === 'ts' ? `snippet-${index}.ts` : `snippet_${index}.py`);
  const outputs: string[] = [];
  for (const [index, snippet] of [...fenced.map(([, code = '']) => code), ...callers].entries()) {
    writeFileSync(join(folder, name(index)), snippet);
    const { stdout, stderr } = await run(program, [name(index)], { cwd: folder, env });
    expect(stderr).toBe('');
    outputs.push(stdout);
  }
  return outputs;
}

/** Both READMEs tell the same story. */
function expectOutputs([deck, lists, failure, receiving, session_, minted]: string[]): void {
  expect(deck).toMatch(/pending/);
  expect(lists).toMatch(/content_\w+/);
  expect(lists).toContain('schedule.published');
  expect(failure).toMatch(/^not_found 404 req_\w+ (null|None)\n$/);
  expect([receiving, session_]).toEqual(['', '']);
  expect(minted).toMatch(/^svc_live_/);
}
