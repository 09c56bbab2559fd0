/** Every client of the Model Context Protocol that is at hand, against the whole product. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
  about: 'clients of two generations and Python at POST /mcp, by key and by OAuth',
  takes: '1 min',
  async run(): Promise<Outcome> {
    await installMcpClients();
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
    const asked = await askPython(url, firstRun);
    seen.set('tools for Python', asked.tools.length);
    const oauth = await walkOAuth(product.gatewayUrl, firstRun);
    for (const complaint of oauth.complaints) console.log(`  ${complaint}`);
    await product.remove();
    const isProven =
      [...seen.values()].every(count => count === toolsExpected) &&
      gates === generations.length &&
      oauth.complaints.length === 0 &&
      asked.state === 'pending';
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
