/** Every subcommand of `npm run ops`, in the order in which `help` lists them. */
import { ConfigurationError } from '@hookline/shared/kernel';
import { command as backup } from './backup.ts';
import { command as checkInvariants } from './check-invariants.ts';
import { command as closeAfter } from './close-after.ts';
import type { Command, Env, Print } from './command.ts';
import { command as createOwner } from './create-owner.ts';
import { command as credits } from './credits.ts';
import { command as deadLetters } from './dead-letters.ts';
import { command as deletions } from './deletions.ts';
import { command as detachSnapshots } from './detach-snapshots.ts';
import { command as pauseSending } from './pause-sending.ts';
import { command as redrive } from './redrive.ts';
import { command as releaseKeptBack } from './release-kept-back.ts';
import { command as removePasskeys } from './remove-passkeys.ts';
import { command as republish } from './republish.ts';
import { command as resumeSending } from './resume-sending.ts';
import { command as revokeKey } from './revoke-key.ts';
import { command as rotateKeys } from './rotate-keys.ts';
import { command as timeline } from './timeline.ts';

const commands: Readonly<Record<string, Command>> = {
  timeline,
  'dead-letters': deadLetters,
  redrive,
  republish,
  'pause-sending': pauseSending,
  'resume-sending': resumeSending,
  'check-invariants': checkInvariants,
  'create-owner': createOwner,
  'remove-passkeys': removePasskeys,
  credits,
  'revoke-key': revokeKey,
  deletions,
  'rotate-keys': rotateKeys,
  'detach-snapshots': detachSnapshots,
  backup,
  'close-after': closeAfter,
  'release-kept-back': releaseKeptBack,
};

/**
 * Runs a subcommand.
 * @param args the subcommand's name and its arguments
 * @returns false for a negative result. @throws ConfigurationError with one sentence
 */
export async function runOps(args: readonly string[], env: Env, print: Print): Promise<boolean> {
  const [name = 'help', ...rest] = args;
  if (name === 'help' || name === '--help' || name === '-h') return help(rest[0], print);
  const command = findCommand(name);
  if (rest.includes('--help') || rest.includes('-h')) return help(name, print);
  return await command.run(name, rest, env, print);
}

function findCommand(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  const names = Object.keys(commands).join(', ');
  throw new ConfigurationError(`There is no command "${name}"; there are help, ${names}.`);
}

function help(name: string | undefined, print: Print): boolean {
  if (name !== undefined) {
    const command = findCommand(name);
    for (const line of [command.usage(name), command.does, ...command.options]) print(line);
    return true;
  }
  print('npm run ops -- <command>');
  const width = Math.max(...Object.keys(commands).map(known => known.length));
  for (const [known, { does }] of Object.entries(commands)) print(`  ${known.padEnd(width)}  ${does}`);
  print(
    'With DATABASE_URL (an administrator’s) on a distributed product, without it on DATA_DIR of npm start.',
  );
  print('npm run ops -- help <command> says more. Exit codes: 0 done, 1 the answer is no, 2 not done.');
  return true;
}
