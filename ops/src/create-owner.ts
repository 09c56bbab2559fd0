import { isStillRunning, readRunFile } from '@hookline/embedded/run-file';
import { createOwner } from '@hookline/gateway/ops';
import { ConfigurationError, loadSettings } from '@hookline/shared/kernel';
import { defineCommand, type Env, type Print } from './command.ts';
import { withTarget } from './target.ts';

export const command = defineCommand({
  does: 'makes a person with a workspace of their own, where SIGN_UP is not open; prints a link that sets the password',
  options: {
    email: { type: 'string', value: 'address', says: 'the address that the person signs in with' },
    name: { type: 'string', value: 'text', says: 'the name of the person' },
  },
  run: ({ env, values, print }) => create(env, values, print),
});

/** @returns false when somebody has signed up with the address. */
async function create(
  env: Env,
  { email, name }: { email?: string | undefined; name?: string | undefined },
  print: Print,
): Promise<boolean> {
  if (email === undefined || email.length > 254 || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    throw new ConfigurationError('--email must be an e-mail address of at most 254 characters.');
  }
  if (name !== undefined && (name.trim() === '' || name.length > 200)) {
    throw new ConfigurationError('--name must be a text of 1 to 200 characters that is not blank.');
  }
  const { PUBLIC_URL, PORT, DATA_DIR } = loadSettings(['PUBLIC_URL', 'PORT', 'DATA_DIR'], env);
  const run = await readRunFile(DATA_DIR);
  const ofRun = run !== null && isStillRunning(DATA_DIR, run) ? run.publicUrl : undefined;
  const publicUrl = PUBLIC_URL ?? ofRun ?? `http://localhost:${PORT}`;
  return await withTarget(env, {}, async target => {
    const made = await createOwner(target.openSchema('gateway'), { email, name, publicUrl });
    if (!made) {
      print(`Somebody has signed up as ${email} already; nothing was made.`);
      return false;
    }
    print(
      `${email} owns the workspace ${made.workspaceId}. This link sets the password, once within an hour:`,
    );
    print(made.url);
    print(
      'Its token may also be sent to POST /api/v1/auth/password-reset/confirm as { "token", "password" }.',
    );
    return true;
  });
}
