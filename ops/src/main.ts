/** `npm run ops -- <command>`: the operator's commands. `npm run ops -- help` lists them. */
import { inheritedEnvironment } from '@hookline/shared/kernel';
import { runOps } from './commands.ts';
import { runCommand } from './run-command.ts';

const args = process.argv.slice(2);
const name = args[0]?.startsWith('-') ? undefined : args[0];
await runCommand(
  name === undefined ? 'ops' : `ops ${name}`,
  () => runOps(args, inheritedEnvironment(), line => console.log(line)),
  2,
);
