/** What a command works with, made once its flags are known. */

import type { Hookline } from '@hookline/sdk';
import { type Access, resolveAccess } from './access.ts';
import { createClient } from './client.ts';
import type { Io } from './io.ts';
import { productUrl } from './links.ts';
import { createOutput, type Output } from './output.ts';

export type GlobalFlags = { baseUrl?: string; profile?: string; json?: boolean; quiet?: boolean };

export type Run = {
  io: Io;
  out: Output;
  flags: GlobalFlags;
  /** Read at first use: a command that needs no key works without a configuration. */
  access(): Access;
  /** @param onAnswer for headers, which the client keeps to itself */
  client(onAnswer?: (response: Response) => void): Hookline;
};

/** Wraps the handler of a command; commander calls the result with the command's arguments. */
export type Bind = <A extends unknown[]>(
  handler: (run: Run, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>;

export function createRun(io: Io, flags: GlobalFlags): Run {
  const out = createOutput(io, flags);
  let access: Access | undefined;
  const findAccess = (): Access => {
    access ??= resolveAccess(flags, io.env, process.cwd());
    return access;
  };
  return {
    io,
    out,
    flags,
    access: findAccess,
    client: onAnswer =>
      createClient(findAccess(), {
        onAnswer,
        onWait: (seconds, why) => out.say(out.note(`${why}: to be asked again in ${seconds} s`)),
      }),
  };
}

/** The console in the workspace of the key: a browser may be in another. Without an answer it names none. */
export async function findConsole(run: Run): Promise<string> {
  const { apiKey, baseUrl } = run.access();
  const address = `${productUrl(baseUrl)}/console`;
  if (apiKey === undefined) return address;
  const asked = run.client().usage.get({ maxRetries: 0, timeoutMs: 5_000 });
  const usage = await asked.catch(() => null);
  return usage?.workspaceId ? `${address}/in/${usage.workspaceId}` : address;
}
