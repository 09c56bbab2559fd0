/**
 * `npm run console`: builds the console; with `--check` only says whether the committed files are current.
 */
import { buildConsole, describeFirstScreen, findStaleConsole } from './build.ts';

if (process.argv.includes('--check')) {
  const complaints = await findStaleConsole();
  for (const complaint of complaints) console.error(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
} else {
  for (const { file, bytes } of await buildConsole()) {
    console.log(`${(bytes / 1_000).toFixed(1).padStart(8)} kB  ${file}`);
  }
  console.log(`  ${describeFirstScreen()}`);
}
