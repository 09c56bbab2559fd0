/**
 * `npm run n8n`: writes the operations of `packages/n8n-nodes-hookline` from the contracts, lints and builds it
 * with n8n's own tool, whose 400 packages of 500 MB nothing else installs.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { n8nSource } from '../generate/n8n-operations.ts';
import { ensureInstalled } from '../install.mjs';
import { ROOT, runTool } from '../test/run-command.ts';

const dir = join(ROOT, 'packages/n8n-nodes-hookline');
const timeoutMs = 600_000;

await ensureInstalled({
  dir,
  lock: join(ROOT, '.cache/install-n8n.lock'),
  what: 'what builds the n8n nodes',
  env: { ...process.env, npm_config_ignore_scripts: 'true' },
  say: line => console.error(`hookline: ${line}`),
});
writeFileSync(join(dir, 'nodes/Hookline/operations.ts'), n8nSource());
for (const command of ['lint', 'build']) {
  const tool = join(dir, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
  const { code, output } = await runTool(tool, [command], { cwd: dir, timeoutMs });
  if (code !== 0) throw new Error(`n8n-node ${command} ended with ${code}:\n${output}`);
}
