/** The command line as a child process: against a product of `npm start`, against a server that misbehaves, on a terminal. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '@hookline/sdk';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEnvironment, startFlags } from '../../tools/start-options.mjs';
import { apiOf } from '../lab/kit/clients/api.ts';
import { freePorts, repositoryRoot, startProcess, stopAllProcesses } from '../lab/kit/product/processes.ts';

const cli = join(repositoryRoot, 'packages/cli/dist/hookline.js');
const folder = mkdtempSync(join(tmpdir(), 'hookline-cli-e2e-'));
const dataDir = join(folder, 'data');
const receivers: Server[] = [];

type FirstRun = Record<
  'baseUrl' | 'email' | 'password' | 'apiKey' | 'agentKey' | 'contentId' | 'scheduleId',
  string
>;
let firstRun: FirstRun;

beforeAll(async () => {
  const [port, simulatorsPort] = await freePorts(2);
  const env = { DATA_DIR: dataDir, PORT: String(port), SIMULATORS_PORT: String(simulatorsPort) };
  const product = startProcess(
    'standalone',
    'deploy/standalone/src/main.ts',
    { ...startEnvironment, ...env },
    [],
    startFlags,
  );
  await eventually(() => {
    if (!product.isRunning()) throw new Error(`ended:\n${product.output()}`);
    expect(product.stdout()).toContain('Ctrl-C stops everything');
  }, 60_000);
  firstRun = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8'));
});

afterAll(async () => {
  for (const receiver of receivers) receiver.close();
  await stopAllProcesses();
  rmSync(folder, { recursive: true, force: true });
});

type Ended = { code: number | null; stdout: string; stderr: string };
type Started = {
  ended: Promise<Ended>;
  interrupt(): void;
  /** Everything printed so far. */
  output(): string;
  type(text: string): void;
};

/** With the data folder of the product, and an empty configuration unless `env` says otherwise. */
function start(
  args: readonly string[],
  env: Record<string, string> = {},
  program = process.execPath,
): Started {
  const child = spawn(program, program === process.execPath ? [cli, ...args] : args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: dataDir, TERM: 'xterm', LANG: 'C.UTF-8', ...env },
    stdio: 'pipe',
  });
  // A command may end before it has read everything.
  child.stdin.on('error', () => undefined);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', chunk => (stdout += chunk));
  child.stderr.on('data', chunk => (stderr += chunk));
  const ended = new Promise<Ended>(resolve =>
    child.on('close', code => {
      // Whatever a command prints, a key is never in it.
      expect(stdout + stderr).not.toMatch(/svc_live_[0-9A-Za-z]{20}|sess_[\w-]{20}/);
      resolve({ code, stdout, stderr });
    }),
  );
  return {
    ended,
    interrupt: () => child.kill('SIGINT'),
    output: () => stdout + stderr,
    type: text => child.stdin.write(text),
  };
}

function run(
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
) {
  const started = start(args, env);
  started.type(input === '' ? '\n' : input);
  return started.ended;
}

/** On a pseudo-terminal; types each text once what it answers to is on the screen. */
async function onTerminal(
  args: readonly string[],
  steps: readonly [string | RegExp, string][],
  env = {},
): Promise<Ended> {
  const command = [process.execPath, cli, ...args].map(word => `'${word}'`).join(' ');
  const started = start(['-qefc', `stty cols 100 rows 40; ${command}`, '/dev/null'], env, 'script');
  let seen = 0;
  for (const [expected, typed] of steps) {
    await eventually(() => expect(started.output().slice(seen)).toMatch(expected), 15_000);
    seen = started.output().length;
    started.type(typed);
  }
  return await started.ended;
}

/** The data of a command that is expected to succeed. */
async function dataOf<T = Record<string, unknown>>(args: readonly string[], options = {}): Promise<T> {
  const { code, stdout, stderr } = await run(args, options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as T;
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function serve(handle: Handler): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => (body += chunk));
    request.on('end', () => handle(request, response, body));
  });
  receivers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
  });

  it('is not approved without a person', async () => {
    const [review, ...calls] = await Promise.all([
      run(['review']),
      run(['api', 'POST', `/content/${deck.id}/approve`]),
      run(['api', 'POST', `/content/${deck.id}/%61pprove/?x=1`]),
    ]);
    expect(review).toMatchObject({ code: 4 });
    expect(JSON.parse(review.stdout)).toEqual({ url: expect.stringMatching(/\/console\/approve$/) });
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
});

describe('events', () => {
  it('are forwarded with the signatures of a webhook, under one secret across restarts', async () => {
    const got: { body: string; headers: IncomingMessage['headers'] }[] = [];
    const url = await serve(({ headers }, response, body) => {
      got.push({ body, headers });
      response.writeHead(got.length === 1 ? 500 : 204).end();
    });
    const secret = (await run(['listen', '--print-secret'])).stdout.trim();
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
    expect(statSync(join(folder, '.config/hookline/config.json')).mode & 0o777).toBe(0o600);
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

describe('answers of something else', () => {
  const env = { HOOKLINE_API_KEY: 'given' };

  it.each<[string, number, RegExp, Handler]>([
    [
      'a page',
      3,
      /is the base URL right/,
      (_, response) => response.writeHead(200).end('<html>hello</html>'),
    ],
    [
      'a redirect',
      3,
      /is the base URL right/,
      (_, response) => response.writeHead(302, { location: 'http://x' }).end(),
    ],
    ['a cut connection', 3, /failed/, request => request.socket.destroy()],
    ['a refused key', 4, /unauthorized/, (_, response) => refuse(response, 401, 'unauthorized')],
    ['a missing scope', 4, /missing_scope/, (_, response) => refuse(response, 403, 'missing_scope')],
    [
      'a limit, waited for by nobody',
      3,
      /^(?!.*asked again).*rate_limited/s,
      (_, response) => refuse(response, 429, 'rate_limited', { 'retry-after': '90' }),
    ],
    ['a refusal', 1, /not_found/, (_, response) => refuse(response, 404, 'not_found')],
  ])('%s ends with %i', async (_name, expected, message, handle) => {
    const url = await serve(handle);
    const { code, stdout, stderr } = await run(['content', 'get', 'content_1', '--base-url', url], { env });
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toBeDefined();
    expect(stderr).toMatch(message);
  });

  it('a deck that stays unfinished ends with 5; its request was repeated under one key', async () => {
    const keys: unknown[] = [];
    const running = { id: 'content_1', status: 'running', createdAt: new Date().toISOString() };
    const url = await serve((request, response) => {
      if (request.method === 'POST') keys.push(request.headers['idempotency-key']);
      if (keys.length === 1 && request.method === 'POST') request.socket.destroy();
      else answer(response, { data: running });
    });
    const create = [
      'content',
      'create',
      '--app',
      'product_1',
      '--wait',
      '--timeout',
      '0.5',
      '--base-url',
      url,
    ];
    const { code, stderr } = await run(create, { env });
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('is still running') });
    expect(keys).toEqual([expect.stringMatching(/^cli-[0-9a-f]{40}$/), keys[0]]);
  });

  it('a deck that failed is made again once, under a key of its own', async () => {
    const keys: unknown[] = [];
    const createdAt = new Date().toISOString();
    const deck = (id: string, status: string) => ({ id, status, createdAt, images: [] });
    const url = await serve((request, response) => {
      const { method, url: path = '' } = request;
      if (method === 'GET') return answer(response, { data: deck('content_1', 'failed') });
      keys.push(request.headers['idempotency-key']);
      expect(path).toMatch(/\/content$/);
      if (keys.length === 1) response.setHeader('idempotent-replayed', 'true');
      answer(response, { data: deck(`content_${keys.length}`, keys.length === 1 ? 'queued' : 'ready') });
    });
    const create = ['content', 'create', '--app', 'product_1', '--wait', '--base-url', url];
    const { code, stdout, stderr } = await run(create, { env });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('that failed: making another'),
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: 'content_2', status: 'ready' });
    expect(keys).toEqual([
      expect.stringMatching(/^cli-[0-9a-f]{40}$/),
      expect.stringMatching(/^cli-[0-9a-f]{40}$/),
    ]);
    expect(new Set(keys).size).toBe(2);
  });

  it('texts do not control the terminal', async () => {
    const url = await serve((_, response) => {
      const app = {
        id: 'product_1',
        name: 'A\u001b]0;owned\u0007\u009b2J',
        details: '\u202eevil',
        createdAt: 'never',
      };
      answer(response, { data: [app], nextCursor: null });
    });
    const { code, stdout } = await onTerminal(['apps', 'ls', '--base-url', url], [], {
      ...env,
      NO_COLOR: '1',
    });
    expect({ code, stdout: stdout.split('\n')[1] }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('A]0;owned2J'),
    });
    expect(stdout).not.toMatch(/[\u009b\u202e]/);
    expect(stdout).not.toContain('\u001b');
  });
});

function answer(response: ServerResponse, body: unknown, type = 'application/json'): void {
  response
    .writeHead(200, { 'content-type': type })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}

function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error: { code, message: 'No.', requestId: 'req_1' } }));
}

describe('mcp', () => {
  it('passes messages to the product and its answers back, whatever their form', async () => {
    const seen: { method: string; version: string | undefined; authorization: string | undefined }[] = [];
    const url = await serve(({ headers }, response, body) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const version = headers['mcp-protocol-version'] as string | undefined;
      seen.push({ method, version, authorization: headers.authorization });
      const result = { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } };
      if (id === undefined) response.writeHead(202).end();
      else if (method === 'tools/list')
        answer(response, `event: message\ndata: ${JSON.stringify(result)}\n\n`, 'text/event-stream');
      else if (method === 'tools/call') refuse(response, 429, 'rate_limited');
      else answer(response, result);
    });
    const env = { HOOKLINE_API_KEY: 'given', HOOKLINE_BASE_URL: url };
    const mcp = spawn(process.execPath, [cli, 'mcp'], {
      env: { PATH: process.env.PATH, HOME: folder, ...env },
    });
    let stdout = '';
    mcp.stdout.on('data', chunk => (stdout += chunk));
    const messages = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'list_apps' } },
    ];
    for (const message of messages) mcp.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    mcp.stdin.write('null\n[]\n');
    mcp.stdin.end('not json\n');
    await new Promise(resolve => mcp.on('close', resolve));
    const answers = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)) as { id: number | null }[];
    expect(answers.sort((left, right) => Number(left.id) - Number(right.id))).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32700 } },
      { id: 1, result: {} },
      { id: 2, result: {} },
      { id: 3, error: { message: expect.stringContaining('429: No.') } },
    ]);
    expect(seen.map(({ authorization }) => authorization)).toEqual(messages.map(() => 'Bearer given'));
    expect(seen.filter(({ version }) => version === '2025-11-25')).toHaveLength(3);
  });
});

describe('the program itself', () => {
  it('says what it takes, and ends with 2 for what it does not', async () => {
    const [help, page, unknown, noCommand, badFlag, badApp] = await Promise.all([
      run(['content', 'create', '--help']),
      run(['open', 'calendar', '--base-url', 'https://x.example.com']),
      run(['contnt']),
      run([]),
      run(['content', 'create', '--slides', '11']),
      run(['content', 'create', '--app', 'Nobody']),
    ]);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--topic <text>'), stderr: '' });
    expect(JSON.parse(page.stdout)).toEqual({ url: 'https://x.example.com/console/calendar' });
    expect(unknown).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean content?'),
    });
    expect(noCommand).toMatchObject({ code: 2, stdout: '' });
    expect(badFlag).toMatchObject({ code: 2, stderr: expect.stringContaining('an integer from 2 to 10') });
    expect(badApp).toMatchObject({ code: 2, stderr: expect.stringContaining('there are Pebblo') });
  });

  it('completes commands and flags in bash', async () => {
    const { stdout: script } = await run(['completion', 'bash']);
    const path = join(folder, 'completion.bash');
    writeFileSync(path, script);
    const complete = (words: string) =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _hookline; echo "\${COMPREPLY[@]}"`;
    const asked = [
      'hookline con',
      "hookline content ''",
      'hookline content create --to',
      'hookline schedule x --dry',
    ];
    const { stdout } = await start(['-c', `source ${path}; ${asked.map(complete).join('; ')}`], {}, 'bash')
      .ended;
    expect(stdout.trim().split('\n')).toEqual([
      'content',
      expect.stringMatching(/^create ls get /),
      '--topic',
      '--dry-run',
    ]);
  });
});
