/** `npm run ops -- <command>`: the operator's commands. `npm run ops -- help` lists them. */
import { inheritedEnvironment } from '@hookline/shared/kernel';
import { logCommand } from './command-log.ts';
import { runOps } from './commands.ts';
import { runCommand } from './run-command.ts';

const args = process.argv.slice(2);
const env = inheritedEnvironment();
const name = args[0]?.startsWith('-') ? undefined : args[0];
await runCommand(
  name === undefined ? 'ops' : `ops ${name}`,
  () => logCommand(args, env, () => runOps(args, env, line => console.log(line))),
  2,
);
