/** Every client of the Model Context Protocol that is at hand, against the whole product. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureInstalled } from '../../../../tools/install.mjs';
import { connectMcp, generations, installMcpClients, walkAsAgent } from '../../kit/clients/mcp.ts';
import { installPythonMcp, pythonOf } from '../../kit/clients/python-mcp.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { startStandalone } from '../../kit/product/standalone.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { walkOAuth } from './oauth.ts';

const run = promisify(execFile);
const folder = join(repositoryRoot, 'tests/lab/scenarios/mcp');
const toolsExpected = 22;

type FirstRun = { agentKey: string; appId: string; accountId: string; email: string; password: string };

async function installInspector(): Promise<void> {
  await ensureInstalled({
    dir: join(folder, 'inspector'),
    lock: join(repositoryRoot, '.cache/install-mcp-inspector.lock'),
    what: 'the MCP inspector',
    env: { ...process.env },
    say: line => console.log(`  ${line}`),
  });
}

/** The names of the tools that the inspector lists, and the result of one call. */
async function inspect(url: string, { agentKey }: FirstRun): Promise<{ tools: string[]; balance: number }> {
  const program = join(
    folder,
    'inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );
  const ask = async (...args: string[]) => {
    const flags = [
      '--cli',
      url,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${agentKey}`,
      ...args,
    ];
    const { stdout } = await run(process.execPath, [program, ...flags], { timeout: 120_000 });
    return JSON.parse(stdout);
  };
  const listed = await ask('--method', 'tools/list');
  const called = await ask('--method', 'tools/call', '--tool-name', 'get_credits');
  const tools = (listed.tools ?? listed.result?.tools) as { name: string }[];
  const { structuredContent } = called.result ?? called;
  return { tools: tools.map(({ name }) => name), balance: structuredContent.balance };
}

async function askPython(
  url: string,
  { agentKey, appId }: FirstRun,
): Promise<{ tools: string[]; state: string }> {
  const env = { ...process.env, MCP_URL: url, HOOKLINE_API_KEY: agentKey, APP_ID: appId };
  const program = join(folder, 'client.py');
  const { stdout } = await run(pythonOf(), [program], { env, timeout: 120_000 });
  return JSON.parse(stdout);
}

export const scenario = defineScenario({
  about: 'clients of two generations, the inspector and Python at POST /mcp, by key and by OAuth',
  takes: '1 min',
  async run(): Promise<Outcome> {
    await installMcpClients();
    await installInspector();
    await installPythonMcp();
    const product = await startStandalone({ SIGNUP_CREDITS: '50' });
    const firstRun: FirstRun = JSON.parse(readFileSync(join(product.dataDir, 'first-run.json'), 'utf8'));
    const url = `${product.gatewayUrl}/mcp`;
    const seen = new Map<string, number>();
    let gates = 0;
    for (const generation of generations) {
      const client = await connectMcp(generation, product.gatewayUrl, firstRun.agentKey);
      const walked = await walkAsAgent(client, firstRun, `slow mornings ${seen.size}`);
      await client.close();
      seen.set(`tools for client ${generation}`, walked.tools.length);
      gates += walked.refused.includes('not_approved') ? 1 : 0;
    }
    const inspected = await inspect(url, firstRun);
    seen.set('tools for inspector --cli', inspected.tools.length);
    const asked = await askPython(url, firstRun);
    seen.set('tools for Python', asked.tools.length);
    const oauth = await walkOAuth(product.gatewayUrl, firstRun);
    for (const complaint of oauth.complaints) console.log(`  ${complaint}`);
    await product.remove();
    const isProven =
      [...seen.values()].every(count => count === toolsExpected) &&
      gates === generations.length &&
      oauth.complaints.length === 0 &&
      asked.state === 'pending' &&
      inspected.balance > 0;
    return {
      isProven,
      figures: {
        ...Object.fromEntries(seen),
        'refused at the gate': gates,
        'state for Python': asked.state,
        'clients by OAuth': oauth.flows,
        'OAuth checks': oauth.checks,
      },
    };
  },
});
