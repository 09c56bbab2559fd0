#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodes, toFailure, usage } from './failure.ts';
import { processIo } from './io.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';
import type { GlobalFlags } from './run.ts';

const interruption = new AbortController();
const io = processIo(process.env, interruption.signal);

/** For a sign-out, or a request that is in flight. */
const graceMs = 1_000;

function onSignal(): void {
  if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
  process.exitCode = exitCodes.interrupted;
  interruption.abort();
  setTimeout(() => process.exit(exitCodes.interrupted), graceMs).unref();
}
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
// `hookline tail | head`: the reader has seen enough.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
});

async function main(): Promise<void> {
  const program = createProgram(io);
  try {
    await program.parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
      // For help and the version the message is a name; what is asked for has been printed.
      if (!error.message.startsWith('error: ')) return;
      const failure = usage(error.message.slice('error: '.length), 'Add --help for what it takes.');
      return createOutput(io, process.argv.includes('--json') ? { json: true } : {}).failure(failure);
    }
    if (interruption.signal.aborted) return;
    const failure = toFailure(error);
    process.exitCode = failure.exitCode;
    if (failure.exitCode === exitCodes.interrupted) return;
    createOutput(io, program.opts<GlobalFlags>()).failure(failure);
    if (io.env.HOOKLINE_DEBUG) io.stderr.write(`${(error as Error).stack}\n`);
  }
}

await main();
