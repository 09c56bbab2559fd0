/** Worker processes of the service on a world's database, to be killed or stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { signingKeysFor } from '@hookline/testing/service-harness';
import type { Timings } from '../src/timings.ts';
import type { World } from './world.ts';

const running = new Set<ChildProcess>();

/** Resolves when it works. */
export async function startVictim(world: World, timings: Partial<Timings> = {}): Promise<ChildProcess> {
  const { database } = world.service;
  const env = {
    ...world.env,
    ROLE: 'worker',
    DATABASE_URL: database.roleUrl('scheduling'),
    SERVICE_SIGNING_KEYS: signingKeysFor('scheduling'),
  };
  const script = fileURLToPath(new URL('./victim.ts', import.meta.url));
  const argument = JSON.stringify({ env, busUrl: database.roleUrl('bus'), timings });
  const child = spawn(process.execPath, [script, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', code => reject(new Error(`the victim ended with ${code} before it worked`)));
  });
  return child;
}

export async function endVictims(): Promise<void> {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await new Promise(resolve => child.once('exit', resolve));
  }
  running.clear();
}
