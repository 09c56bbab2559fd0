/** The command line against a product of `npm start`, and on a terminal. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@hookline/sdk';
import { eventually } from '@hookline/testing/eventually';
import { tinyPng } from '@hookline/testing/tiny-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf } from '../lab/kit/clients/api.ts';
import { cli, closeServers, commandsIn, serve } from './cli-process.ts';
import { newPlace, start as startAsNpm, stopAll } from './npm-start.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-cli-e2e-'));
const dataDir = join(folder, 'data');
const { start, run, onTerminal, dataOf } = commandsIn(folder, dataDir);

type FirstRun = Record<
  'baseUrl' | 'email' | 'password' | 'apiKey' | 'agentKey' | 'contentId' | 'scheduleId',
  string
>;
let firstRun: FirstRun;

beforeAll(async () => {
  await startAsNpm({
    ...(await newPlace()),
    DATA_DIR: dataDir,
    LIMIT_PER_KEY: '1000',
    LIMIT_CONTENT_PER_KEY: '1000',
  });
  firstRun = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8'));
});

afterAll(async () => {
  closeServers();
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
});

type Deck = { id: string; approvalStatus: string; createdAt: string };

describe('a deck from its topic to its post', () => {
  let deck: Deck;

  it('finds the product of this machine, and makes a deck once however often it is asked', async () => {
    const apps = await dataOf<{ name: string }[]>(['apps', 'ls']);
    expect(apps.map(({ name }) => name)).toEqual(['Pebblo']);
    const create = [
      'content',
      'create',
      '--app',
      'pebblo',
      '--topic',
      'morning habits',
      '--slides',
      '3',
      '--wait',
    ];
    const before = await dataOf<{ data: { balance: number } }>(['api', 'get', '/credits']);
    deck = await dataOf<Deck>(create);
    expect(deck).toMatchObject({ status: 'ready', approvalStatus: 'pending' });
    expect(await dataOf(create)).toMatchObject({ id: deck.id });
    const after = await dataOf<{ data: { balance: number } }>(['api', 'GET', '/credits']);
    expect(before.data.balance - after.data.balance).toBe(1);
    const rows = await dataOf<Deck[]>(['content', 'ls', '--approval', 'pending', '--limit', '1']);
    expect(rows).toMatchObject([{ id: deck.id }]);
    const page = await dataOf(['api', 'GET', '/content?approvalStatus=pending', '-F', 'limit=1']);
    expect(page).toMatchObject({ data: [{ id: deck.id }] });
    const { code, stderr } = await run(['api', 'GET', '/content?q=habits?&limit=0']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('limit') });
  });

  it('is not made for an app that is not there', async () => {
    const { code, stderr } = await run(['content', 'create', '--app', 'Nobody']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('there are Pebblo') });
  });

  it('is not approved without a person', async () => {
    const [review, ...calls] = await Promise.all([
      run(['review']),
      run(['api', 'POST', `/content/${deck.id}/approve`]),
      run(['api', 'POST', `/content/${deck.id}/%61pprove/?x=1`]),
      run(['api', 'POST', '/review/decide', '-f', 'decision=approved']),
    ]);
    expect(review).toMatchObject({ code: 4 });
    expect(JSON.parse(review.stdout)).toEqual({
      url: expect.stringMatching(/\/console\/in\/workspace_\w+\/approve$/),
    });
    for (const call of calls) expect(call).toMatchObject({ code: 4, stdout: '' });
    const refused = await run(['schedule', deck.id, '--dry-run']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ problems: [{ code: 'not_approved' }] });
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'not_approved' } });
  });

  it('is edited and approved by a person at a terminal', async () => {
    const { code, stdout } = await onTerminal(
      ['review'],
      [
        ['a approve', 'e'],
        // Down to the caption: hook, two slides, closing line.
        ['What do you want to change?', '\u001b[A\u001b[A\r'],
        ['New text', ' Edited.\r'],
        [/version 2.*a approve/s, 'a'],
        // Typed ahead, it decides nothing about the next deck, where the first run left one.
        ['Approved version 2.', 'a'],
        [/a approve|1 approved/, 'q'],
      ],
      { COLORTERM: 'truecolor' },
    );
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 approved, 0 rejected, 0 skipped'),
    });
    expect(stdout).toContain('▀');
    const content = await dataOf<Record<string, unknown>>(['content', 'get', deck.id]);
    expect(content).toMatchObject({
      approvalStatus: 'approved',
      result: { caption: expect.stringMatching(/ Edited\.$/) },
      approval: { version: 2, by: { kind: 'person' } },
    });
    const file = join(folder, 'deck.zip');
    expect(await dataOf(['content', 'download', deck.id, file])).toEqual({ file });
    expect(readFileSync(file, 'latin1')).toMatch(/^PK.*caption\.txt/s);
    expect((await run(['api', 'GET', `/content/${deck.id}/archive`])).stdout).toMatch(/^PK/);
  });

  it('is scheduled for a time in words, and says why it is where it is', async () => {
    const at = ['--at', 'tomorrow 9:00', '--zone', 'Asia/Kathmandu', '--account', '@maya.makes'];
    const tried = await dataOf<{ id: null; scheduledFor: string }>(['schedule', deck.id, ...at, '--dry-run']);
    expect(tried).toMatchObject({
      id: null,
      mode: 'draft',
      scheduledFor: expect.stringMatching(/T03:15:00\.000Z$/),
    });
    const made = await dataOf<{ id: string }>(['schedule', deck.id, ...at]);
    const [schedule, content, wrongTime] = await Promise.all([
      dataOf<{ next: string; timeline: unknown[] }>(['why', made.id]),
      dataOf<{ next: string; schedules: unknown[] }>(['why', deck.id]),
      run(['schedule', deck.id, '--at', 'yesterday']),
    ]);
    expect(schedule.next).toMatch(/^It is sent in \d+ (h|min|d)\.$/);
    expect(schedule.timeline.length).toBeGreaterThan(0);
    expect(content).toMatchObject({ next: `hookline why ${made.id}`, schedules: [{ id: made.id }] });
    expect(wrongTime).toMatchObject({ code: 2, stdout: '' });
    expect(await dataOf(['api', 'DELETE', `/schedules/${made.id}`])).toMatchObject({
      data: { deleted: true },
    });
  });

  it('is scheduled for a phone, where nothing is sent', async () => {
    const api = apiOf(firstRun.baseUrl);
    const { email, password } = firstRun;
    const signedIn = await api<{ session: { token: string } }>('POST', '/auth/sign-in', {
      body: { email, password },
    });
    const { token } = signedIn.data.session;
    const { data: phone } = await api<{ id: string }>('POST', '/accounts/phone', {
      ...{ token, body: { name: 'Maya by hand' } },
    });
    const schedule = ['schedule', deck.id, '--account', 'maya by hand', '--at', 'tomorrow 9:00'];
    expect(await dataOf([...schedule, '--dry-run'])).toMatchObject({ mode: 'phone' });
    const made = await dataOf<{ id: string }>(schedule);
    expect(await dataOf(['why', made.id])).toMatchObject({ next: expect.stringContaining('It is due in') });
    await api('DELETE', `/accounts/${phone.id}`, { token });
  });
});

type Texts = Record<'hook' | 'ctaSoft' | 'ctaHard' | 'caption', string> & { bodySlides: { text: string }[] };
type Whole = Deck & { version: number; result: Texts };

/** The newest, so that `review` begins with it. */
function newDeck(...flags: string[]): Promise<Whole> {
  return dataOf<Whole>(['content', 'create', '--template', 'none', '--new', '--wait', ...flags]);
}

const deckNow = (id: string): Promise<Whole> => dataOf<Whole>(['content', 'get', id]);

describe('the closing line', () => {
  it('is edited where it is drawn', async () => {
    const { id, result } = await newDeck('--cta', 'direct');
    await onTerminal(
      ['review'],
      [
        ['a approve', 'e'],
        // Up past "Nothing" and the caption.
        ['What do you want to change?', '\u001b[A\u001b[A\u001b[A\r'],
        ['New text', ' Edited.\r'],
        [/version 2.*a approve/s, 'q'],
      ],
    );
    const { ctaSoft, ctaHard } = (await deckNow(id)).result;
    expect({ ctaSoft, ctaHard }).toEqual({ ctaSoft: result.ctaSoft, ctaHard: `${result.ctaHard} Edited.` });
  });
});

const colleague = async (method: string, path: string, body: object): Promise<void> => {
  const { status, text } = await apiOf(firstRun.baseUrl)(method, path, { token: firstRun.apiKey, body });
  expect(status, text).toBe(200);
};

describe('the text of a slide', () => {
  it('is edited without its position', async () => {
    const { id, result } = await newDeck('--cta', 'none');
    const bodySlides = result.bodySlides.map(({ text }) => ({ text, position: 'top' }));
    await colleague('PATCH', `/content/${id}`, { bodySlides });
    await onTerminal(
      ['review'],
      [
        ['a approve', 'e'],
        ['What do you want to change?', '\u001b[B\r'],
        ['New text', ' Edited.\r'],
        [/version 3.*a approve/s, 'q'],
      ],
    );
    const [first, ...others] = bodySlides;
    const edited = { ...first, text: `${first?.text} Edited.` };
    expect((await deckNow(id)).result.bodySlides).toEqual([edited, ...others]);
  });
});

describe('a colleague who was faster', () => {
  it.each([
    ['reject', 'rejected', ['a']],
    ['approve', 'approved', ['r', '\r']],
  ] as const)('%ss the deck on the screen, and is not overruled', async (verb, decision, keys) => {
    const { id } = await newDeck();
    const decide = async (): Promise<string> => {
      await colleague('POST', `/content/${id}/${verb}`, {});
      return keys[0];
    };
    const { stdout } = await onTerminal(
      ['review'],
      [
        ['a approve', decide],
        ...keys.slice(1).map((key): [string, string] => ['Why?', key]),
        [/Decided already.*a approve/s, 'q'],
      ],
    );
    expect(stdout).toContain(`this content was ${decision} since`);
    expect(stdout).toContain(`Decided already: ${decision}.`);
    expect(await deckNow(id)).toMatchObject({ approvalStatus: decision });
  });

  it('edits the deck, and keeps the edit', async () => {
    const { id, result } = await newDeck();
    const others = result.bodySlides.slice(1);
    const bodySlides = [...others, { text: 'Theirs.' }];
    const edit = async (): Promise<string> => {
      await colleague('PATCH', `/content/${id}`, { bodySlides });
      return ' Mine.\r';
    };
    const { stdout } = await onTerminal(
      ['review'],
      [
        ['a approve', 'e'],
        ['What do you want to change?', '\u001b[B\r'],
        ['New text', edit],
        [/has changed since.*version 2.*a approve/s, 'q'],
      ],
    );
    expect(stdout).toContain('0 approved, 0 rejected, 0 skipped');
    expect(await deckNow(id)).toMatchObject({ version: 2, result: { bodySlides } });
  });

  it('approves the deck that is being edited, and the approval stays', async () => {
    const { id } = await newDeck();
    const approve = async (): Promise<string> => {
      await colleague('POST', `/content/${id}/approve`, {});
      return ' Mine.\r';
    };
    await onTerminal(
      ['review'],
      [
        ['a approve', 'e'],
        ['What do you want to change?', '\r'],
        ['New text', approve],
        [/has changed since.*Decided already: approved.*a approve/s, 'q'],
      ],
    );
    expect(await deckNow(id)).toMatchObject({ version: 1, approvalStatus: 'approved' });
  });
});

describe('events', () => {
  it('are forwarded with the signatures of a webhook, under one secret across restarts', async () => {
    const got: { body: string; headers: IncomingMessage['headers'] }[] = [];
    const url = await serve(({ headers }, response, body) => {
      got.push({ body, headers });
      response.writeHead(got.length === 1 ? 500 : 204).end();
    });
    const print = () => run(['listen', '--print-secret']);
    // The first commands at once, such as a receiver's and the listener's, agree on one.
    const printed = await Promise.all([print(), print(), print(), print(), print(), print()]);
    const secrets = new Set(printed.map(({ stdout }) => stdout.trim()));
    expect(secrets.size).toBe(1);
    const [secret = ''] = secrets;
    const types = 'job.completed,content.approved';
    const listen = start([
      'listen',
      '--forward-to',
      `${url}/hook`,
      '--since',
      'beginning',
      '--events',
      types,
    ]);
    await eventually(() => expect(listen.output()).toContain('Waiting for events'), 10_000);
    listen.interrupt();
    const { code, stdout } = await listen.ended;
    expect(code).toBe(130);
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.slice(0, 2)).toMatchObject([
      { type: 'job.completed', status: 500, error: 'answered 500' },
      { type: 'content.approved', status: 204, error: null },
    ]);
    const triggered = await dataOf(['trigger', 'schedule.failed', '--to', url]);
    expect(triggered).toMatchObject({ type: 'schedule.failed', status: 204 });
    for (const { body, headers } of got) {
      expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
      expect(await verifyWebhook(body, headers, secret, { signature: 'service' })).toHaveProperty('id');
    }
    expect(JSON.parse(got.at(-1)?.body ?? '')).toMatchObject({
      type: 'schedule.failed',
      data: { status: 'failed' },
    });
    expect(statSync(join(folder, '.config/hookline/webhook-secret')).mode & 0o777).toBe(0o600);
  });

  it('are printed one a line', async () => {
    const tail = start(['tail', '--since', '1h', '--events', 'schedule.published']);
    await eventually(() => expect(tail.output()).toContain('Waiting for events'), 10_000);
    tail.interrupt();
    const { stdout } = await tail.ended;
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'schedule.published',
      data: { id: firstRun.scheduleId },
    });
  });
});

describe('keys', () => {
  it('a person logs in at a terminal; the key approves and publishes nothing, and the session is over', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'person') };
    const { code } = await onTerminal(
      ['login', '--profile', 'maya'],
      [
        ['Base URL', '\r'],
        ['E-mail', `${firstRun.email}\r`],
        ['Password', `${firstRun.password}\r`],
      ],
      env,
    );
    expect(code).toBe(0);
    const path = join(folder, 'person/hookline/config.json');
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    expect(stored).toMatchObject({ profile: 'maya', profiles: { maya: { baseUrl: firstRun.baseUrl } } });
    const api = apiOf(firstRun.baseUrl);
    const { email, password } = firstRun;
    const signedIn = await api<{ session: { token: string } }>('POST', '/auth/sign-in', {
      body: { email, password },
    });
    const token = signedIn.data.session.token;
    const keys = await api<{ name: string; scopes: string[] }[]>('GET', '/keys', { token });
    const minted = keys.data.find(({ name }) => name.startsWith('hookline on '));
    expect(minted?.scopes).toContain('content:write');
    expect(minted?.scopes.filter(scope => /approve|publish/.test(scope))).toEqual([]);
    const sessions = await api<{ client: string | null }[]>('GET', '/auth/sessions', { token });
    expect(sessions.data.filter(({ client }) => client?.startsWith('hookline-cli'))).toEqual([]);
  });

  it('a given key comes from standard input, and is refused once others can read its file', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'given') };
    expect((await run(['login', '--with-key'], { env, input: `${firstRun.agentKey}\n` })).code).toBe(0);
    const path = join(folder, 'given/hookline/config.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const [list, elsewhere] = await Promise.all([
      run(['content', 'ls'], { env }),
      run(['content', 'ls', '--base-url', 'http://127.0.0.1:9'], { env }),
    ]);
    expect(list.code).toBe(0);
    expect(elsewhere).toMatchObject({ code: 4, stderr: expect.stringContaining('There is no key for') });
    chmodSync(path, 0o644);
    expect(await run(['content', 'ls'], { env })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('chmod 600'),
    });
    chmodSync(path, 0o600);
    expect((await run(['logout'], { env })).code).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain('svc_live_');
  });

  it('doctor names what is wrong, with its exit code', async () => {
    const [fine, wrongKey, away] = await Promise.all([
      run(['doctor']),
      run(['doctor'], {
        env: { HOOKLINE_API_KEY: `svc_live_${'x'.repeat(49)}`, HOOKLINE_BASE_URL: firstRun.baseUrl },
      }),
      run(['doctor', '--base-url', 'http://127.0.0.1:1'], { env: { HOOKLINE_API_KEY: 'x' } }),
    ]);
    expect(fine).toMatchObject({ code: 0 });
    expect(JSON.parse(fine.stdout).every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    expect(wrongKey).toMatchObject({ code: 4, stderr: expect.stringContaining('check \\"key\\" failed') });
    expect(away).toMatchObject({ code: 3, stderr: expect.stringContaining('check \\"connection\\" failed') });
  });
});

// Its decks wait for approval, so it comes after the reviews.
describe('a deck of given texts', () => {
  it('has the texts of a file, a slide a line, or of a brief in JSON', async () => {
    const file = join(folder, 'texts');
    const create = ['content', 'create', '--template', 'none', '--slides-file', file];
    writeFileSync(file, 'Water from below\n\nMist, then wait\n');
    expect(await dataOf([...create, '--hook', 'What ferns want', '--closing', 'Pebblo'])).toMatchObject({
      writer: { kind: 'given' },
      result: {
        hook: 'What ferns want',
        bodySlides: [{ text: 'Water from below' }, { text: 'Mist, then wait' }],
        ctaSoft: 'Pebblo',
      },
    });
    const caption = 'Ferns, in short.';
    writeFileSync(file, JSON.stringify({ hook: 'What ferns want', slides: [{ text: 'Water' }], caption }));
    expect(await dataOf(create)).toMatchObject({ result: { bodySlides: [{ text: 'Water' }], caption } });
    writeFileSync(file, '{');
    expect(await run(create)).toMatchObject({ code: 2, stderr: expect.stringContaining('--slides-file') });
  });
});

describe('a deck of finished slides', () => {
  it('has the files as they are, and the same command makes no second deck', async () => {
    const files = [40, 200].map(grey => {
      const file = join(folder, `${grey}.png`);
      writeFileSync(file, tinyPng(grey));
      return file;
    });
    const create = ['content', 'create', '--hook', 'Spring sale', '--pictures', ...files];
    const made = await dataOf(create);
    expect(made).toMatchObject({ status: 'ready', templateId: 'picture', images: [{}, {}] });
    expect(await dataOf(create)).toMatchObject({ id: (made as { id: string }).id });
    expect(await run([...create, 'nowhere.png'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--pictures'),
    });
  });
});

describe('accounts, automations, webhooks and results', () => {
  const asPerson = (path: string, body: object) => {
    const { apiKey } = firstRun;
    return apiOf(firstRun.baseUrl)<{ id: string }>('POST', path, {
      token: apiKey,
      body,
    });
  };

  it('are listed, paused, resumed, tested, entered and read', async () => {
    const [account] = await dataOf<{ id: string; appId: string }[]>(['accounts', 'ls']);
    const [app] = await dataOf<{ id: string }[]>(['apps', 'ls']);
    const { data: automation } = await asPerson('/automations', {
      ...{ appId: app?.id, tiktokAccountId: account?.id, format: 'slideshow' },
      postingTimes: [{ time: '08:30', days: ['mon'] }],
    });
    expect(await dataOf(['automations', 'ls'])).toContainEqual(
      expect.objectContaining({ id: automation.id }),
    );
    expect(await dataOf(['automations', 'pause', automation.id])).toMatchObject({ status: 'paused' });
    expect(await dataOf(['automations', 'resume', automation.id])).toMatchObject({ status: 'active' });
    expect(await dataOf(['webhooks', 'ls'])).toEqual([]);
    const results = ['results', firstRun.contentId];
    expect(await dataOf([...results, '--views', '5200', '--likes', '410'])).toMatchObject({ views: 5200 });
    expect(await dataOf(results)).toMatchObject({ views: 5200, likes: 410 });
    expect(await run([...results, '--likes', '4'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--views'),
    });
    const post = ['--post', 'https://youtu.be/dQsim000001'];
    expect(await run([...results, ...post, '--views', '5300', '--likes', '4l2'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--likes must be a whole number'),
    });

    expect(await run([...results, ...post])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('youtube'),
    });

    const made = await dataOf<{ id: string }>(['content', 'create', '--template', 'none', '--new', '--wait']);
    const compared = await dataOf(['experiments', made.id, '--hook', 'Ferns first', '--hook', 'Why ferns?']);
    expect(compared).toMatchObject({
      readAfterHours: 48,
      decks: [{ contentId: made.id }, { hook: 'Ferns first' }, { hook: 'Why ferns?' }],
    });
    await eventually(async () =>
      expect(await dataOf(['experiments'])).toMatchObject([
        { verdict: expect.stringContaining('3 of 3 posts') },
      ]),
    );

    const script = join(folder, 'completion.bash');
    writeFileSync(script, (await run(['completion', 'bash'])).stdout);
    const complete = (words: string) =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _hookline; echo "\${COMPREPLY[@]}"`;
    const hookline = `hookline() { ${process.execPath} ${cli} "$@"; }`;
    const asked = ['hookline automations pause auto', 'hookline results cont', 'hookline results --vi'].map(
      complete,
    );
    const { stdout } = await start(['-c', `${hookline}; source ${script}; ${asked.join('; ')}`], {}, 'bash')
      .ended;
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringContaining(automation.id),
      expect.stringContaining(firstRun.contentId),
      '--views',
    ]);
  });
});

describe('decks of a list', () => {
  it('makes a deck of each row of a CSV, names the row that is refused, and makes none twice', async () => {
    const file = join(folder, 'list.csv');
    const csv = 'hook,slideCount,externalId\n"Farne, für Anfänger",3,row-1\nFerns again,99,row-2\n';
    // As Excel saves it.
    writeFileSync(file, csv, 'latin1');
    const list = ['content', 'import', file, '--template', 'none', '--json'];
    const first = await run(list);
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('brief.slideCount') });
    const rows = JSON.parse(first.stdout);
    expect(rows).toMatchObject([
      { row: 1, job: { status: 'queued' } },
      { row: 2, error: { code: 'invalid_request', param: 'brief.slideCount' } },
    ]);
    expect(JSON.parse((await run(list)).stdout)[0].job.id).toBe(rows[0].job.id);
    const waited = JSON.parse((await run([...list, '--wait'])).stdout);
    expect(waited).toMatchObject([{ job: { id: rows[0].job.id, status: 'ready' } }, { job: null }]);
    const { stdout } = await run(['content', 'get', rows[0].job.id, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ brief: { hook: 'Farne, für Anfänger' } });
    writeFileSync(file, '[');
    expect(await run(list)).toMatchObject({ code: 2, stderr: expect.stringContaining('list.csv') });
  });
});
