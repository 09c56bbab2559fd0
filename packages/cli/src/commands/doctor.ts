import { type Hookline, HooklineError } from '@hookline/sdk';
import type { Command } from 'commander';
import { readConfig } from '../config-file.ts';
import { type ExitCode, exitCodes, Failure, toFailure } from '../failure.ts';
import { productUrl } from '../links.ts';
import { nameOf } from '../options.ts';
import { plain } from '../output.ts';
import type { Bind, Run } from '../run.ts';
import { version } from '../version.ts';

type Check = { name: string; ok: boolean; detail: string; hint?: string; exitCode?: ExitCode };

/** Beyond this, signatures of webhooks and the links of slides fail. */
const skewMaxMs = 60_000;
const readyMs = 10_000;

export function addDoctor(program: Command, bind: Bind): void {
  program
    .command('doctor')
    .description('check the configuration, the connection and the key')
    .action(bind(doctor));
}

async function doctor(run: Run): Promise<void> {
  const checks: Check[] = [
    {
      name: 'version',
      ok: true,
      detail: `hookline ${version}, Node ${process.versions.node}, ${process.platform}`,
    },
  ];
  const add = async (name: string, check: () => Promise<Omit<Check, 'name'>> | Omit<Check, 'name'>) => {
    try {
      checks.push({ name, ...(await check()) });
    } catch (error) {
      if (!(error instanceof Failure) && !(error instanceof HooklineError)) throw error;
      const { message, hint, exitCode, body } = toFailure(error);
      // A key has no more scopes than it needs.
      const ok = body.code === 'missing_scope';
      checks.push({ name, ok, detail: message, exitCode, ...(hint === undefined ? {} : { hint }) });
    }
    return checks.at(-1)?.ok === true;
  };
  const isConfigured = await add('configuration', () => {
    const names = Object.keys(readConfig(run.io.env).profiles);
    return { ok: true, detail: names.length === 0 ? 'no profiles' : `profiles: ${names.join(', ')}` };
  });
  if (isConfigured && (await add('address', () => addressCheck(run)))) {
    const isReached = await add('connection', () => connectionCheck(run));
    if (isReached && (await add('key', () => keyCheck(run)))) await addAccountChecks(run.client(), add);
  }
  print(run, checks);
}

function addressCheck(run: Run): Omit<Check, 'name'> {
  const { baseUrl, source } = run.access();
  const { protocol, hostname } = new URL(baseUrl);
  const isOpen = protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const detail = `${baseUrl} (${source})`;
  if (!isOpen) return { ok: true, detail };
  return { ok: true, detail: `${detail}; http, so the key can be read on the way` };
}

async function connectionCheck(run: Run): Promise<Omit<Check, 'name'>> {
  const { baseUrl } = run.access();
  const began = performance.now();
  const url = `${productUrl(baseUrl)}/readyz`;
  let answer: Response;
  try {
    answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(readyMs) });
    await answer.body?.cancel();
  } catch (error) {
    const why = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
    const detail = `${url} cannot be reached (${why})`;
    return {
      ok: false,
      detail,
      hint: 'Is the address right, and the product running?',
      exitCode: exitCodes.unreachable,
    };
  }
  const tookMs = Math.round(performance.now() - began);
  if (!answer.ok)
    return { ok: false, detail: `${url} answered ${answer.status}`, exitCode: exitCodes.unreachable };
  const skewMs = new Date(answer.headers.get('date') ?? Date.now()).getTime() - Date.now();
  if (Math.abs(skewMs) > skewMaxMs) {
    const seconds = Math.round(skewMs / 1000);
    const detail = `the clocks differ by ${seconds} s`;
    return { ok: false, detail, hint: 'Set the clock of this machine.', exitCode: exitCodes.refused };
  }
  return { ok: true, detail: `ready, ${tookMs} ms` };
}

async function keyCheck(run: Run): Promise<Omit<Check, 'name'>> {
  // Needs a valid key and no scope.
  await run.client().accounts.list({ limit: 1 }).page();
  return { ok: true, detail: 'accepted' };
}

async function addAccountChecks(
  client: Hookline,
  add: (name: string, check: () => Promise<Omit<Check, 'name'>>) => Promise<boolean>,
): Promise<void> {
  await add('credits', async () => {
    const { balance, unlimited } = await client.credits.get();
    const isEmpty = balance < 1 && !unlimited;
    return {
      ok: !isEmpty,
      detail: unlimited ? 'unlimited' : `${balance} left`,
      ...(isEmpty ? { hint: 'A deck costs 1 credit.', exitCode: exitCodes.refused } : {}),
    };
  });
  await add('TikTok accounts', async () => {
    const accounts = await client.accounts.list({ limit: 100 }).toArray();
    const broken = accounts.filter(({ status }) => status !== 'connected').map(nameOf);
    if (broken.length === 0) return { ok: true, detail: accounts.map(nameOf).join(', ') || 'none yet' };
    const detail = `to be connected again: ${broken.join(', ')}`;
    return { ok: false, detail, hint: 'hookline open accounts', exitCode: exitCodes.refused };
  });
}

function print({ out }: Run, checks: readonly Check[]): void {
  const wide = Math.max(...checks.map(({ name }) => name.length));
  const shown = checks.map(({ exitCode: _code, ...check }) => check);
  out.record(shown, () =>
    checks.flatMap(({ name, ok, detail, hint }) => [
      `${ok ? out.style('green', '✓') : out.style('red', '✗')} ${name.padEnd(wide)}  ${plain(detail)}`,
      ...(hint === undefined ? [] : [`  ${' '.repeat(wide)}  ${out.style('cyan', plain(hint))}`]),
    ]),
  );
  const failed = checks.find(({ ok }) => !ok);
  if (failed === undefined) return;
  const message = `The check "${failed.name}" failed: ${failed.detail}`;
  throw new Failure(failed.exitCode ?? exitCodes.refused, { code: 'check_failed', message });
}
