/**
 * The built nodes of n8n. They are committed, so that packing and a folder of custom nodes need no toolchain;
 * n8n's has 400 packages and 500 MB, so nothing but this installs it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, filesBelow } from '../built-files.ts';
import { ensureInstalled } from '../install.mjs';
import { ROOT, runTool } from '../test/run-command.ts';

const nodesDir = join(ROOT, 'packages/n8n-nodes-hookline');
/** Names the sources that `dist` was built from. */
const recordFile = join(nodesDir, 'built-from.json');
const timeoutMs = 600_000;

/** Digests of everything that a build reads, and of what it made. */
function digests(): { sources: string; built: string } {
  const folders = ['credentials', 'icons', 'nodes'].flatMap(name => filesBelow(join(nodesDir, name)));
  const single = ['package.json', 'package-lock.json', 'tsconfig.json'].map(name => join(nodesDir, name));
  return {
    sources: digestOf(nodesDir, [...single, ...folders]),
    built: digestOf(nodesDir, filesBelow(join(nodesDir, 'dist'))),
  };
}

/** Lints and builds `packages/n8n-nodes-hookline` with n8n's own tool. @throws Error with its complaints */
export async function buildNodes(): Promise<void> {
  await ensureInstalled({
    dir: nodesDir,
    lock: join(ROOT, '.cache/install-n8n.lock'),
    what: 'what builds the n8n nodes',
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
    say: line => console.error(`hookline: ${line}`),
  });
  for (const command of ['lint', 'build']) {
    const tool = join(nodesDir, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
    const { code, output } = await runTool(tool, [command], { cwd: nodesDir, timeoutMs });
    if (code !== 0) throw new Error(`n8n-node ${command} ended with ${code}:\n${output}`);
  }
  writeFileSync(recordFile, `${JSON.stringify(digests(), null, 2)}\n`);
}

/** What is wrong with the committed files, from their record alone. */
export async function findStaleNodes(): Promise<string[]> {
  const recorded = JSON.parse(readFileSync(recordFile, 'utf8')) as ReturnType<typeof digests>;
  const { sources, built } = digests();
  if (recorded.sources === sources && recorded.built === built) return [];
  return ['packages/n8n-nodes-hookline/dist was not built from its sources: run npm run n8n'];
}
