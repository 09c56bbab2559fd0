/**
 * The doors for machines on one running product: MCP clients that others wrote, the n8n node, and
 * the examples of the guides.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@hookline/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { n8nOperations } from '../../tools/generate/n8n-operations.ts';
import { LintersMissing } from '../../tools/openapi/lint.ts';
import { preparePython } from '../../tools/python-venv.ts';
import { ROOT } from '../../tools/test/run-command.ts';
import { guideNames, guideProgram, type Language } from '../lab/kit/checks/guide-snippets.ts';
import { connectMcp, generations, installMcpClients, recordOf, walkAsAgent } from '../lab/kit/clients/mcp.ts';
import { type Standalone, startStandalone } from '../lab/kit/product/standalone.ts';

let product: Standalone;
let firstRun: { agentKey: string; apiKey: string; appId: string; accountId: string; contentId: string };

beforeAll(async () => {
  [product] = await Promise.all([startStandalone({ SIGNUP_CREDITS: '50' }), installMcpClients()]);
  firstRun = JSON.parse(readFileSync(join(product.dataDir, 'first-run.json'), 'utf8'));
});
afterAll(() => product?.remove());

describe('POST /mcp', () => {
  const linkTo = (deckId: string) =>
    new RegExp(`^${product.gatewayUrl}/console/in/workspace_\\w+/approve\\?deck=${deckId}$`);

  it.each(generations)('an agent with a client of %s stops at the person’s gate', async generation => {
    const client = await connectMcp(generation, product.gatewayUrl, firstRun.agentKey);
    const walked = await walkAsAgent(client, firstRun, `slow mornings ${generations.indexOf(generation)}`);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`hookline://content/${walked.deckId}/slides/1`);
    await client.close();
    expect(walked.url).toMatch(linkTo(walked.deckId));
    expect(JSON.parse(walked.refused).error.code).toBe('not_approved');
    expect(walked.slideBytes).toBeGreaterThan(1_000);
    expect(walked.tools).toHaveLength(32);
  });

  it('a key of every scope has no tool that approves, and no call changes approvalStatus', async () => {
    const pages: string[] = [];
    const client = await connectMcp('2.4, 2026-07-28', product.gatewayUrl, firstRun.apiKey, url => {
      pages.push(url);
    });
    const { tools } = await client.listTools();
    expect(tools.filter(({ name }) => /(^|_)(approve|reject)/.test(name))).toEqual([]);
    const written = await client.callTool({
      name: 'create_deck',
      arguments: { appId: firstRun.appId, topic: 'evening walks' },
    });
    const { id } = recordOf<{ id: string }>(written);
    for (const { name } of tools) {
      const args = {
        deckId: id,
        id,
        contentId: id,
        approvalStatus: 'approved',
        approve: true,
        confirmed: true,
      };
      await client.callTool({ name, arguments: args });
    }
    // The client opened the page and said "accept": the record decides.
    const asked = await client.callTool({ name: 'request_approval', arguments: { deckId: id } });
    expect(pages).toEqual([expect.stringMatching(linkTo(id))]);
    expect(recordOf(asked)).toMatchObject({ approvalStatus: 'pending', rejectReason: null });
    await client.close();
  });
});

describe('examples/agent', () => {
  it('writes a deck for each topic, once, and ends with the links for the person', async () => {
    const agent = async (HOOKLINE_BASE_URL: string) =>
      (
        await promisify(execFile)(process.execPath, ['examples/agent/agent.ts', 'blue hour', 'first snow'], {
          env: { ...process.env, HOOKLINE_BASE_URL, HOOKLINE_API_KEY: firstRun.agentKey },
          timeout: 60_000,
        })
      ).stdout;
    const said = await agent(product.baseUrl);
    expect(said).toMatch(/^These decks wait for you:/);
    expect(said.match(/\/approve\?deck=content_/g)).toHaveLength(2);
    expect(await agent(new URL(product.baseUrl).origin)).toBe(said);
  });
});

describe('the n8n node', () => {
  type Call = (facts: object) => Promise<Record<string, unknown>[]>;
  const nodes = '../../packages/n8n-nodes-hookline/nodes/Hookline';
  let callOperation: Call;
  const { operations } = n8nOperations();
  beforeAll(async () => {
    ({ callOperation } = await import(`${nodes}/calls.ts`));
  });

  type Sent = { method: string; path: string; query: object; headers: object; body?: object };
  async function send({ method, path, query, headers, body }: Sent): Promise<object> {
    const search = new URLSearchParams(query as Record<string, string>);
    const authorization = `Bearer ${firstRun.apiKey}`;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${product.baseUrl}${path}?${search}`, {
      method,
      headers: { authorization, ...type, ...headers },
      ...(body && { body: body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    return { status: response.status, headers: {}, body: await response.json() };
  }

  const call = (name: string, parameters: Record<string, unknown>, more: object = {}) =>
    callOperation({
      operation: operations[name],
      parameter: (field: string) => parameters[field] ?? null,
      send,
      sleep: (ms: number) => new Promise(resolve => setTimeout(resolve, ms)),
      instant: String,
      ...more,
    });

  it('writes a deck once for a key, lists, uploads, and says what the API says', async () => {
    const { appId } = firstRun;
    const deck = { appId, type: 'slideshow', briefTopic: 'tea', briefTemplateId: 'quote-card', wait: true };
    const options = { briefSlideCount: 3 };
    const [made] = await call('content.create', { ...deck, options }, { idempotencyKey: 'n8n-1-2-3-0-0' });
    expect(made).toMatchObject({ status: 'ready', costCharged: 1, brief: { topic: 'tea', slideCount: 3 } });
    const [again] = await call('content.create', { ...deck, options }, { idempotencyKey: 'n8n-1-2-3-0-0' });
    expect(again?.id).toBe(made?.id);

    const filters = { status: 'ready' };
    expect(await call('content.getAll', { returnAll: false, limit: 1, filters })).toHaveLength(1);
    expect((await call('content.getAll', { returnAll: true, filters })).length).toBeGreaterThan(1);
    await eventually(async () => {
      const feed = await call('event.getAll', { returnAll: true });
      expect(feed.map(({ data }) => (data as { id?: string }).id)).toContain(made?.id);
    });

    const [slide] = (made?.images ?? []) as { url: string }[];
    const bytes = new Uint8Array(await (await fetch(slide?.url ?? '')).arrayBuffer());
    const upload = { idempotencyKey: 'n8n-1-2-4-0-0', file: { bytes, name: 'slide "1".jpg' } };
    const [picture] = await call('app.addPicture', { appId }, upload);
    expect(picture).toMatchObject({ kind: 'upload', width: 1080, height: 1920 });
    expect((await call('app.addPicture', { appId }, upload))[0]?.id).toBe(picture?.id);

    const refused = await call('content.get', { contentId: 'content_nope' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: 'No such content.', code: 'not_found', status: 404 });
    expect((refused as { details: string }).details).toMatch(
      /^Code: not_found, status: 404, request id: req_/,
    );
  });
});

describe('the examples of the guides', () => {
  const cli = join(ROOT, 'packages/cli/dist/hookline.js');
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  // Below the root, where the examples find the SDK.
  const folder = mkdtempSync(join(ROOT, '.cache/guides-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let python: string | LintersMissing;
  beforeAll(async () => {
    const requirements = join(ROOT, 'packages/sdk-python/tests/requirements.txt');
    const venv = { name: 'sdk-python', requirements, what: "the Python client's tests" };
    python = await preparePython(venv).catch((error: unknown) => {
      if (error instanceof LintersMissing && process.env.CI !== 'true') return error;
      throw error;
    });
  }, 600_000);

  async function runGuide(name: string, language: Language, key = firstRun.apiKey): Promise<void> {
    const program = guideProgram(name, language);
    if (program === null) throw new Error(`${name} has no example for ${language}`);
    const file = join(folder, `${name}.ts`);
    if (language === 'TypeScript') writeFileSync(file, program);
    const shell = `hookline() { '${process.execPath}' '${cli}' "$@"; }\n${program}`;
    const [command, args] =
      language === 'TypeScript'
        ? [process.execPath, [file]]
        : ['bash', ['-euo', 'pipefail', '-c', language === 'CLI' ? shell : program]];
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: product.dataDir,
      env: { ...process.env, HOOKLINE_BASE_URL: product.baseUrl, HOOKLINE_API_KEY: key },
      timeout: 60_000,
    });
    expect(stdout).not.toBe('');
    expect(stdout).not.toMatch(/^null$/m);
  }

  const having = (language: Language) => guideNames().filter(name => guideProgram(name, language) !== null);

  // n8n has a window instead of programs. The others work for whoever has followed them before.
  const programs = guideNames().filter(name => name !== 'n8n');
  it.each([...programs, ...programs])('%s runs with curl', name => runGuide(name, 'curl'));

  it('show the envelope of a refusal with curl', async () => {
    const refused = runGuide('limits', 'curl', 'svc_live_nobody');
    await expect(refused).rejects.toMatchObject({
      stdout: expect.stringContaining('"code": "unauthorized"'),
    });
  });
  it.each(having('TypeScript'))('%s runs with TypeScript', name => runGuide(name, 'TypeScript'));
  // A person's part, on a terminal, is in the test of the command line.
  it.each(having('CLI').filter(name => name !== 'approve'))('%s runs with the command line', name =>
    runGuide(name, 'CLI'),
  );

  it('every guide runs with Python', async context => {
    if (python instanceof LintersMissing) return context.skip(python.message);
    const names = having('Python');
    expect(names.length).toBeGreaterThan(5);
    const files = names.map(name => {
      const file = join(folder, `${name}.py`);
      writeFileSync(file, guideProgram(name, 'Python') ?? '');
      return file;
    });
    // One process: importing the client takes longer than a guide.
    const runAll = 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file); print("ran", file)';
    const { stdout } = await promisify(execFile)(join(python, 'bin/python'), ['-c', runAll, ...files], {
      cwd: product.dataDir,
      env: {
        ...process.env,
        PYTHONPATH: join(ROOT, 'packages/sdk-python'),
        PYTHONDONTWRITEBYTECODE: '1',
        HOOKLINE_BASE_URL: product.baseUrl,
        HOOKLINE_API_KEY: firstRun.apiKey,
      },
      timeout: 60_000,
    });
    expect(stdout.match(/^ran /gm)).toHaveLength(files.length);
    expect(stdout).not.toMatch(/^None$/m);
  });
});
