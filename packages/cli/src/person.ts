/** Questions to a person, and what a person does with a session of their own. Loaded only on a terminal. */
import * as clack from '@clack/prompts';
import { type Hookline, HooklineSession } from '@hookline/sdk';
import type { Access } from './access.ts';
import { clientOptions, createSessionClient, sessionHeaders } from './client.ts';
import { interrupted } from './failure.ts';
import { sessionBaseUrl } from './links.ts';
import type { Run } from './run.ts';

const output = process.stderr;

function answered(answer: unknown): string {
  if (clack.isCancel(answer)) throw interrupted();
  return String(answer ?? '').trim();
}

export async function askText(message: string, initialValue = '', isRequired = true): Promise<string> {
  const validate = (value: string | undefined) =>
    isRequired && !value?.trim() ? 'Something is needed.' : undefined;
  const answer = await clack.text({ message, initialValue, output, validate });
  return answered(answer);
}

/** As it was typed: a password may begin or end with a space. */
export async function askSecret(message: string): Promise<string> {
  const validate = (value: string | undefined) => (value ? undefined : 'Something is needed.');
  const answer = await clack.password({ message, output, validate });
  if (clack.isCancel(answer)) throw interrupted();
  return String(answer);
}

export async function choose<T extends string>(
  message: string,
  options: readonly { value: T; label: string; hint?: string }[],
): Promise<T> {
  const select = clack.select as (options: unknown) => Promise<unknown>;
  return answered(await select({ message, options, output })) as T;
}

export type Person = { client: Hookline; email: string; signOut(): Promise<void> };

/**
 * Signs in as a browser does: decisions are then those of a person, under the scopes of the person's role.
 * The session lives as long as the command.
 */
export async function signInAsPerson(run: Run, access: Access): Promise<Person> {
  const email = access.email ?? (await askText('E-mail of your account'));
  const isLocal = access.password !== undefined;
  run.out.say(
    isLocal
      ? run.out.note(`Signing in as ${email}, with the password in .data/first-run.json.`)
      : run.out.note(`Signing in as ${email}: a decision is yours, not the key's.`),
  );
  const password = access.password ?? (await askSecret('Password'));
  let cookie = '';
  const options = clientOptions(sessionBaseUrl(access.baseUrl));
  const session = new HooklineSession({
    ...options,
    headers: { ...options.headers, ...sessionHeaders },
    fetch: async (input, init) => {
      const headers = { ...(init?.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) };
      const response = await fetch(input, { ...init, headers });
      const given = response.headers.getSetCookie().map(line => line.split(';', 1)[0] ?? '');
      if (given.length > 0) cookie = given.join('; ');
      return response;
    },
  });
  await session.auth.signIn({ email, password });
  const signOut = async (): Promise<void> => {
    await session.auth.signOut().catch(() => undefined);
  };
  return { client: createSessionClient(access.baseUrl, cookie), email, signOut };
}
