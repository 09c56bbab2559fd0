import { hostname } from 'node:os';
import { Hookline, HooklineSession, scopesByRole } from '@hookline/sdk';
import type { Command } from 'commander';
import { findLocalProduct, toBaseUrl } from '../access.ts';
import { clientOptions } from '../client.ts';
import { configPath, readConfig, writeConfig } from '../config-file.ts';
import { noAccess, usage } from '../failure.ts';
import type { Bind, Run } from '../run.ts';

const fallback = 'http://localhost:8080/api/v1';
/** Scopes that the key of a command line never gets: it neither approves nor publishes. */
const leftOut: readonly string[] = ['content:approve', 'schedules:publish'];

export function addLogin(program: Command, bind: Bind): void {
  program
    .command('login')
    .description('store a key for this machine')
    .option('--with-key', 'read an existing key from standard input instead of signing in')
    .addHelpText(
      'after',
      `
Signs in with e-mail and password, makes a key that neither approves nor publishes, and ends the session.
The key is stored with mode 0600; --profile names a second one. It is never taken from an argument.

Examples:
  hookline login
  hookline login --profile work --base-url https://hookline.example.com
  hookline login --with-key < key.txt`,
    )
    .action(bind(login));
  program
    .command('logout')
    .description('forget the stored key; revoke it in the console')
    .action(bind(logout));
}

async function login(run: Run, options: { withKey?: boolean }): Promise<void> {
  const { io, flags } = run;
  // A file that others can read is refused before anything is asked.
  const config = readConfig(io.env);
  const name = flags.profile ?? io.env.HOOKLINE_PROFILE ?? config.profile ?? 'default';
  if (!options.withKey && !io.canAsk) {
    throw noAccess('Signing in needs a terminal.', 'hookline login --with-key < key.txt');
  }
  const asked = flags.baseUrl ?? io.env.HOOKLINE_BASE_URL;
  const known =
    config.profiles[name]?.baseUrl ?? findLocalProduct(io.env, process.cwd())?.baseUrl ?? fallback;
  const baseUrl = toBaseUrl(asked ?? (options.withKey ? known : await askFor('Base URL', known)));
  const { apiKey, email } = options.withKey ? { apiKey: await readGivenKey(run) } : await mintKey(baseUrl);
  // Needs a valid key and no scope.
  await new Hookline({ ...clientOptions(baseUrl), apiKey }).accounts.list({ limit: 1 }).page();
  // Read again: another command may have stored a profile while the person was asked.
  const { profiles } = readConfig(io.env);
  const path = writeConfig(io.env, {
    profile: name,
    profiles: { ...profiles, [name]: { baseUrl, apiKey, ...(email === undefined ? {} : { email }) } },
  });
  run.out.record({ profile: name, baseUrl, config: path }, () => [
    `${run.out.style('green', '✓')} Logged in to ${baseUrl}, profile ${name}`,
  ]);
  run.out.say(run.out.note(`The key is in ${path}.`));
}

async function askFor(question: string, initial: string): Promise<string> {
  const { askText } = await import('../person.ts');
  return await askText(question, initial);
}

async function readGivenKey({ io }: Run): Promise<string> {
  let text = '';
  if (io.canAsk) {
    const { askSecret } = await import('../person.ts');
    text = await askSecret('API key');
  } else {
    for await (const chunk of io.stdin) {
      text += String(chunk);
      if (text.includes('\n') || text.length > 4_096) break;
    }
  }
  const key = text.trim();
  if (!/^svc_live_[0-9A-Za-z]{49}$/.test(key)) {
    throw usage('That is not an API key: one is svc_live_ and 49 letters or digits.');
  }
  return key;
}

async function mintKey(baseUrl: string): Promise<{ apiKey: string; email: string }> {
  const { askSecret, askText } = await import('../person.ts');
  const email = await askText('E-mail');
  const password = await askSecret('Password');
  const session = await HooklineSession.signIn({ ...clientOptions(baseUrl), email, password });
  try {
    const workspaces = await session.auth.listOwnWorkspaces();
    const role = workspaces.find(({ current }) => current)?.role ?? 'viewer';
    const scopes = scopesByRole[role]?.filter(scope => !leftOut.includes(scope));
    if (role === 'viewer' || scopes === undefined) {
      throw noAccess(`The role ${role} makes no keys; ask an owner for one.`);
    }
    const { key } = await session.keys.create({ name: `hookline on ${hostname()}`.slice(0, 200), scopes });
    if (key === undefined) throw noAccess('The key was made, but its answer was lost: try again.');
    return { apiKey: key, email };
  } finally {
    await session.auth.signOut().catch(() => undefined);
  }
}

async function logout(run: Run): Promise<void> {
  const { io, flags } = run;
  const config = readConfig(io.env);
  const name = flags.profile ?? io.env.HOOKLINE_PROFILE ?? config.profile ?? 'default';
  if (config.profiles[name] === undefined) throw usage(`There is no profile "${name}".`);
  const { [name]: _forgotten, ...profiles } = config.profiles;
  const { profile: _current, ...rest } = config;
  writeConfig(io.env, {
    ...rest,
    ...(config.profile === name ? {} : { profile: config.profile ?? 'default' }),
    profiles,
  });
  run.out.record({ profile: name, config: configPath(io.env) }, () => [`Forgot the key of profile ${name}.`]);
}
