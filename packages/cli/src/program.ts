/** The tree of commands: the source of the help texts, the reference and the completion scripts. */
import { Command } from 'commander';
import { addApi } from './commands/api.ts';
import { addApps } from './commands/apps.ts';
import { addCompletion } from './commands/completion.ts';
import { addContent } from './commands/content.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvents } from './commands/events.ts';
import { addLogin } from './commands/login.ts';
import { addMcp } from './commands/mcp.ts';
import { addOpen } from './commands/open.ts';
import { addRecords } from './commands/records.ts';
import { addReview } from './commands/review.ts';
import { addSchedule } from './commands/schedule.ts';
import { addWhy } from './commands/why.ts';
import type { Io } from './io.ts';
import { type Bind, createRun, type GlobalFlags } from './run.ts';
import { version } from './version.ts';

export const exitCodeRows: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'the API refused; the error is on stderr'],
  [2, 'wrong usage'],
  [3, 'not reachable, or still 429 or 503 after the retries'],
  [4, 'no key, a refused key, a missing scope, or no terminal for what only a person does'],
  [5, '--wait ended before the work did'],
  [130, 'Ctrl-C'],
];

export function createProgram(io: Io): Command {
  const program = new Command('hookline');
  const bind: Bind =
    handler =>
    (...args) =>
      handler(createRun(io, program.opts<GlobalFlags>()), ...args);
  program
    .description('Make, review and schedule slideshows for TikTok, and receive their events.')
    .version(version, '--version', 'print the version')
    .option('--base-url <url>', 'address of the API (HOOKLINE_BASE_URL)')
    .option('--profile <name>', 'stored login to use (HOOKLINE_PROFILE)')
    .option('--json', 'print JSON; the default when stdout is not a terminal')
    .option('--quiet', 'print no hints and no progress')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: text => io.stdout.style('bold', text),
      styleCommandText: text => io.stdout.style('cyan', text),
      styleSubcommandText: text => io.stdout.style('cyan', text),
      styleOptionText: text => io.stdout.style('cyan', text),
    })
    .configureOutput({
      writeOut: text => io.stdout.write(text),
      writeErr: text => io.stderr.write(text),
      getOutHelpWidth: () => Math.min(110, io.stdout.columns),
      getErrHelpWidth: () => Math.min(110, io.stderr.columns),
      getOutHasColors: () => true,
      getErrHasColors: () => true,
      // Written with the failures of commands, as JSON or as text.
      outputError: () => {},
    })
    .exitOverride();
  addLogin(program, bind);
  addDoctor(program, bind);
  addApps(program, bind);
  addContent(program, bind);
  addReview(program, bind);
  addSchedule(program, bind);
  addRecords(program, bind);
  addWhy(program, bind);
  addEvents(program, bind);
  addOpen(program, bind);
  addApi(program, bind);
  addMcp(program, bind);
  addCompletion(program, bind);
  program.addHelpText(
    'after',
    `
The key comes from HOOKLINE_API_KEY, a profile of "hookline login", or the product of "npm start" on this machine.

Exit codes:
${exitCodeRows.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}`,
  );
  return program;
}
