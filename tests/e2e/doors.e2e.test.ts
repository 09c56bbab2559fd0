/** The doors for machines on one running product: MCP clients that others wrote, and the examples of the guides. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  it.each(generations)('an agent with a client of %s stops at the person’s gate', async generation => {
    const client = await connectMcp(generation, product.gatewayUrl, firstRun.agentKey);
    const walked = await walkAsAgent(client, firstRun, `slow mornings ${generations.indexOf(generation)}`);
    await client.close();
    expect(walked.url).toBe(`${product.gatewayUrl}/console/approve?deck=${walked.deckId}`);
    expect(JSON.parse(walked.refused).error.code).toBe('not_approved');
    expect(walked.slideBytes).toBeGreaterThan(1_000);
    expect(walked.tools).toHaveLength(22);
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
    expect(pages).toEqual([`${product.gatewayUrl}/console/approve?deck=${id}`]);
    expect(recordOf(asked)).toMatchObject({ approvalStatus: 'pending', rejectReason: null });
    await client.close();
  });
});

describe('examples/agent', () => {
  it('writes a deck for each topic, once, and ends with the links for the person', async () => {
    const agent = async () =>
      (
        await promisify(execFile)(process.execPath, ['examples/agent/agent.ts', 'blue hour', 'first snow'], {
          env: { ...process.env, HOOKLINE_BASE_URL: product.baseUrl, HOOKLINE_API_KEY: firstRun.agentKey },
          timeout: 60_000,
        })
      ).stdout;
    const said = await agent();
    expect(said).toMatch(/^These decks wait for you:/);
    expect(said.match(/\/console\/approve\?deck=content_/g)).toHaveLength(2);
    expect(await agent()).toBe(said);
  });
});

describe('the examples of the guides', () => {
  const cli = join(ROOT, 'packages/cli/dist/hookline.js');
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  // Below the root, where the examples find the SDK.
  const folder = mkdtempSync(join(ROOT, '.cache/guides-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function runGuide(name: string, language: Language): Promise<void> {
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
      env: { ...process.env, HOOKLINE_BASE_URL: product.baseUrl, HOOKLINE_API_KEY: firstRun.apiKey },
      timeout: 60_000,
    });
    expect(stdout).not.toBe('');
    expect(stdout).not.toMatch(/^null$/m);
  }

  const having = (language: Language) => guideNames().filter(name => guideProgram(name, language) !== null);

  it.each(guideNames())('%s runs with curl', name => runGuide(name, 'curl'));
  it.each(having('TypeScript'))('%s runs with TypeScript', name => runGuide(name, 'TypeScript'));
  // A person's part, on a terminal, is in the test of the command line.
  it.each(having('CLI').filter(name => name !== 'approve'))('%s runs with the command line', name =>
    runGuide(name, 'CLI'),
  );
});
