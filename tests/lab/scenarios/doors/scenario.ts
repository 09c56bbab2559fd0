/**
 * The examples of every guide in every language against one product, and an MCP client that stops at the
 * person's gate: the whole journey through each door.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { guideNames, guideProgram, type Language } from '../../kit/checks/guide-snippets.ts';
import { connectMcp, installMcpClients, walkAsAgent } from '../../kit/clients/mcp.ts';
import { installPythonMcp, pythonOf } from '../../kit/clients/python-mcp.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { startStandalone } from '../../kit/product/standalone.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';

const languages: readonly Language[] = ['curl', 'TypeScript', 'Python', 'CLI'];
// What only a person does, on a terminal or in a browser.
const peoplesCommands = /^hookline (review|open).*$/gm;
const shell = ['-euo', 'pipefail', '-c'];

type Command = { program: string; args: string[]; env?: Record<string, string> };

function commandOf(language: Language, text: string, folder: string): Command {
  if (language === 'curl') return { program: 'bash', args: [...shell, text] };
  if (language === 'CLI') {
    const cli = join(repositoryRoot, 'packages/cli/dist/hookline.js');
    const define = `hookline() { '${process.execPath}' '${cli}' "$@"; }`;
    return { program: 'bash', args: [...shell, `${define}\n${text.replaceAll(peoplesCommands, ':')}`] };
  }
  const file = join(folder, language === 'Python' ? 'guide.py' : 'guide.ts');
  writeFileSync(file, text);
  if (language === 'TypeScript') return { program: process.execPath, args: [file] };
  // Python's MCP client brings the HTTP library that the SDK needs.
  const env = { PYTHONPATH: join(repositoryRoot, 'packages/sdk-python') };
  return { program: pythonOf(), args: [file], env };
}

export const scenario = defineScenario({
  about: 'the examples of all guides with curl, TypeScript, Python and the command line, and an MCP client',
  takes: '2 min',
  async run({ folder }): Promise<Outcome> {
    await installMcpClients();
    await installPythonMcp();
    const product = await startStandalone({ SIGNUP_CREDITS: '50' });
    const firstRun = JSON.parse(readFileSync(join(product.dataDir, 'first-run.json'), 'utf8'));
    const given = { HOOKLINE_BASE_URL: product.baseUrl, HOOKLINE_API_KEY: firstRun.apiKey as string };
    const figures: Record<string, number> = {};
    let failed = 0;
    for (const language of languages) {
      figures[language] = 0;
      for (const name of guideNames()) {
        const text = guideProgram(name, language);
        if (text === null) continue;
        const { program, args, env } = commandOf(language, text, folder);
        const options = { cwd: folder, env: { ...process.env, ...given, ...env }, timeout: 120_000 };
        try {
          await promisify(execFile)(program, args, options);
          figures[language] += 1;
        } catch (error) {
          failed += 1;
          console.log(`  ${name}, ${language}: ${(error as { stderr?: string }).stderr?.slice(-1_500)}`);
        }
      }
    }
    const client = await connectMcp('2.4, 2026-07-28', product.gatewayUrl, firstRun.agentKey);
    const walked = await walkAsAgent(client, firstRun, 'a quiet hour');
    await client.close();
    await product.remove();
    const isGateShut = walked.refused.includes('not_approved') && existsSync(join(folder, 'guide.ts'));
    return {
      isProven: failed === 0 && isGateShut && languages.every(language => (figures[language] ?? 0) > 5),
      figures: { ...figures, failed, 'stopped at the gate': isGateShut ? 1 : 0 },
    };
  },
});
