import { join } from 'node:path';
import { ROOT, runTool } from './run-command.ts';
import { listFiles } from './source-files.ts';

const FOLDERS = ['packages', 'services', 'ops', 'deploy', 'tests', 'bench', 'tools'];
const TIMEOUT_MS = 120_000;

type Report = {
  summary: { totalCruised: number; violations: { from: string; to: string; rule: { name: string } }[] };
};

async function cruise(): Promise<Report['summary']> {
  const args = ['--config', join(ROOT, '.dependency-cruiser.mjs'), '--output-type', 'json', ...FOLDERS];
  const { output } = await runTool('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', args, {
    timeoutMs: TIMEOUT_MS,
  });
  try {
    return (JSON.parse(output) as Report).summary;
  } catch {
    throw new Error(`dependency-cruiser failed: ${output.trim()}`);
  }
}

/** Forbidden imports of the repository, as lines; a run that saw too few files is a complaint too. */
export async function findForbiddenImports(): Promise<string[]> {
  const { violations, totalCruised } = await cruise();
  const files = FOLDERS.flatMap(folder => listFiles(join(ROOT, folder), ['.ts']));
  // Without its parser the tool finds nothing and reports success.
  if (totalCruised < files.length) return [`only ${totalCruised} of ${files.length} files were read`];
  return violations.map(({ from, to, rule }) => `${rule.name}: ${from} imports ${to}`);
}
