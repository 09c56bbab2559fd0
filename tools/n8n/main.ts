/**
 * `npm run n8n`: lints and builds the n8n nodes; with `--check` only says whether the
 * built files are current.
 */
import { buildNodes, findStaleNodes } from './build.ts';

if (process.argv.includes('--check')) {
  const complaints = await findStaleNodes();
  for (const complaint of complaints) console.error(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
} else {
  await buildNodes();
}
