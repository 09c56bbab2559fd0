/** The command line without a product: against servers that misbehave, and alone. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { answer, cli, closeServers, commandsIn, type Handler, refuse, serve } from './cli-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-cli-alone-'));
const { start, run, onTerminal } = commandsIn(folder, join(folder, 'data'));

afterAll(() => {
  closeServers();
  rmSync(folder, { recursive: true, force: true });
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

  it.each([
    ['one that is refused', [], 1, 'insufficient_credits'],
    ['one that is not waited for to its end', ['--wait', '--timeout', '0.1'], 5, 'after 0.1 s'],
  ])('the decks of a list before %s are printed', async (_name, flags, expected, message) => {
    const file = join(folder, 'long.csv');
    writeFileSync(file, `topic\n${'ferns\n'.repeat(51)}`);
    let batches = 0;
    const url = await serve((request, response, body) => {
      const job = { id: 'content_1', status: 'running', error: null };
      if (request.method === 'GET') return answer(response, { data: job });
      batches += 1;
      if (batches === 2 && flags.length === 0) return refuse(response, 402, 'insufficient_credits');
      const outcomes = JSON.parse(body).items.map(() => ({ job, error: null }));
      return answer(response, { data: { outcomes } });
    });
    const list = ['content', 'import', file, '--app', 'product_1', ...flags, '--base-url', url];
    const { code, stdout, stderr } = await run(list, { env });
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(message) });
    expect(JSON.parse(stdout)).toHaveLength(flags.length === 0 ? 50 : 51);
  });

  it('a list whose rows name their apps needs no app', async () => {
    const file = join(folder, 'apps.csv');
    writeFileSync(file, 'appId,topic\nproduct_1,ferns\nproduct_2,moss\n');
    const asked: unknown[] = [];
    const url = await serve((_, response, body) => {
      if (body === '') return answer(response, { data: [{ name: 'A' }, { name: 'B' }], nextCursor: null });
      const { items } = JSON.parse(body) as { items: { appId: string }[] };
      asked.push(...items.map(({ appId }) => appId));
      const outcomes = items.map(() => ({ job: { id: 'content_1', status: 'queued' }, error: null }));
      return answer(response, { data: { outcomes } });
    });
    const list = ['content', 'import', file, '--base-url', url];
    expect(await run(list, { env })).toMatchObject({ code: 0 });
    expect(asked).toEqual(['product_1', 'product_2']);
    writeFileSync(file, 'appId,topic\nproduct_1,ferns\n,moss\n');
    expect(await run(list, { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('--app') });
    expect((await run([...list, '--app', 'product_3'], { env })).code).toBe(0);
    expect(asked.slice(2)).toEqual(['product_1', 'product_3']);
  });

  it('a body of many letters arrives as it was given', async () => {
    // Its letters lie across the chunks of a pipe, whose sizes are even.
    const body = { name: 'é'.repeat(100_000) };
    let received = '';
    const url = await serve((_, response, text) => {
      received = text;
      answer(response, { data: {} });
    });
    const api = ['api', 'POST', '/apps', '--data', '-', '--base-url', url];
    expect((await run(api, { env, input: JSON.stringify(body) })).code).toBe(0);
    expect(JSON.parse(received)).toEqual(body);
  });

  it('a deck that a flag swallowed is asked for', async () => {
    const { code, stderr } = await run(['experiments', '--hook', 'Ferns', 'content_1'], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('The deck is needed') });
  });

  it('a test that a webhook did not take ends with 1', async () => {
    const attempt = { responseStatus: 500, error: 'the answer was 500' };
    const url = await serve((_, response) => answer(response, { data: attempt }));
    const { code, stdout, stderr } = await run(['webhooks', 'test', 'webhook_1', '--base-url', url], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('the answer was 500') });
    expect(JSON.parse(stdout)).toEqual(attempt);
  });

  it.each([
    [false, 1, '0 left'],
    [true, 0, 'unlimited'],
  ])('doctor misses no credits where they are unlimited: %s', async (unlimited, expected, detail) => {
    const url = await serve(({ url: path }, response) =>
      answer(response, {
        data: path?.includes('/credits') ? { balance: 0, unlimited } : [],
        nextCursor: null,
      }),
    );
    const { code, stdout } = await run(['doctor', '--base-url', url], { env });
    expect(code).toBe(expected);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'credits', detail }));
  });

  it('slides are uploaded again for another deck, since the first upload may be deleted', async () => {
    const file = join(folder, 'slide.png');
    writeFileSync(file, 'a picture');
    const keys: unknown[] = [];
    const url = await serve(({ url: path = '', headers }, response) => {
      if (path.includes('/pictures')) keys.push(headers['idempotency-key']);
      answer(response, { data: { id: 'content_1', status: 'ready', images: [] } });
    });
    const create = ['content', 'create', '--app', 'product_1', '--hook', 'Sale', '--pictures', file];
    for (const flags of [[], [], ['--new']]) await run([...create, ...flags, '--base-url', url], { env });
    expect([keys.length, new Set(keys).size]).toEqual([3, 2]);
  });

  it('doctor is content with a key that may not read the credits', async () => {
    const url = await serve(({ url: path }, response) =>
      path?.includes('/credits')
        ? refuse(response, 403, 'missing_scope')
        : answer(response, { data: [], nextCursor: null }),
    );
    expect((await run(['doctor', '--base-url', url], { env })).code).toBe(0);
  });

  it('an empty number is no 0', async () => {
    const { code, stderr } = await run(['results', 'content_1', '--views', ''], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--views must be') });
  });

  it.each([1, 3])('a deck that failed %i times is made again, under a key of its own', async failed => {
    const keys: unknown[] = [];
    const createdAt = new Date().toISOString();
    const deck = (id: string, status: string) => ({ id, status, createdAt, images: [] });
    const url = await serve((request, response) => {
      const { method, url: path = '' } = request;
      if (method === 'GET') return answer(response, { data: deck(path.split('/').at(-1)!, 'failed') });
      keys.push(request.headers['idempotency-key']);
      expect(path).toMatch(/\/content$/);
      const isRepeat = keys.length <= failed;
      if (isRepeat) response.setHeader('idempotent-replayed', 'true');
      answer(response, { data: deck(`content_${keys.length}`, isRepeat ? 'queued' : 'ready') });
    });
    const create = ['content', 'create', '--app', 'product_1', '--wait', '--base-url', url];
    const { code, stdout, stderr } = await run(create, { env });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('that failed: making another'),
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: `content_${failed + 1}`, status: 'ready' });
    for (const key of keys) expect(key).toMatch(/^cli-[0-9a-f]{40}$/);
    expect(new Set(keys).size).toBe(failed + 1);
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

describe('mcp', () => {
  it('passes messages to the product and its answers back, whatever their form', async () => {
    const seen: { method: string; version: string | undefined; authorization: string | undefined }[] = [];
    const url = await serve(({ headers, socket }, response, body) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const version = headers['mcp-protocol-version'] as string | undefined;
      seen.push({ method, version, authorization: headers.authorization });
      const result = { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } };
      if (id === undefined) response.writeHead(202).end();
      else if (id === 4) socket.destroy();
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
      {
        id: 4,
        method: 'tools/call',
        params: { name: 'create_deck', arguments: { topic: 'a\u2028b\u2029c' } },
      },
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
      { id: 4, error: { message: expect.stringMatching(/gave no answer .* The same call again/) } },
    ]);
    expect(seen.map(({ authorization }) => authorization)).toEqual(messages.map(() => 'Bearer given'));
    expect(seen.filter(({ version }) => version === '2025-11-25')).toHaveLength(4);
  });
});

describe('the program itself', () => {
  it('says what it takes, and ends with 2 for what it does not', async () => {
    const [help, page, unknown, noCommand, badFlag] = await Promise.all([
      run(['content', 'create', '--help']),
      run(['open', 'calendar', '--base-url', 'https://x.example.com']),
      run(['contnt']),
      run([]),
      run(['content', 'create', '--slides', '11']),
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
    for (const { stderr } of [unknown, badFlag]) {
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', hint: expect.any(String) } });
    }
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
      expect.stringMatching(/^create import ls get /),
      '--topic',
      '--dry-run',
    ]);
  });
});
