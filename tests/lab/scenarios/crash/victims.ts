/** Victim processes from their parent's view: loaded ahead of time, started when the previous one is dead. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { inheritedEnvironment } from '@hookline/shared/kernel';
import { repositoryRoot } from '../../kit/product/processes.ts';
import type { VictimOrder, VictimReport } from './victim.ts';

export type Victim = {
  /** @throws Error with its output when it ended instead of answering */
  order(order: VictimOrder): Promise<VictimReport>;
  /** True when SIGKILL ended it in time; false when it is still there. */
  diesWithin(timeoutMs: number): Promise<boolean>;
  end(): Promise<void>;
};

const file = join(import.meta.dirname, 'victim.ts');

/** Resolves when its modules are loaded. */
export async function loadVictim(service: 'content' | 'gateway'): Promise<Victim> {
  // Uses the same compile cache as the bootstrap.
  const NODE_COMPILE_CACHE = join(repositoryRoot, 'node_modules/.cache/node-compile');
  const child = fork(file, [service], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...inheritedEnvironment(), NODE_COMPILE_CACHE },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      printed += chunk;
    });
  const exited = new Promise<NodeJS.Signals | null>(resolve =>
    child.once('exit', (_, signal) => resolve(signal)),
  );
  await answer(child, exited, () => printed);
  return {
    async order(order) {
      const answering = answer(child, exited, () => printed);
      // It may already be dead: `answering` reports that.
      child.send(order, () => {});
      return await answering;
    },
    async diesWithin(timeoutMs) {
      const signal = await Promise.race([exited, wait(timeoutMs).then(() => 'alive' as const)]);
      if (signal !== 'SIGKILL' && signal !== 'alive') throw new Error(`a victim ended by itself: ${printed}`);
      return signal === 'SIGKILL';
    },
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function answer(child: ChildProcess, exited: Promise<unknown>, printed: () => string): Promise<VictimReport> {
  return new Promise((resolve, reject) => {
    child.once('message', report => resolve(report as VictimReport));
    void exited.then(() => reject(new Error(`a victim ended: ${printed().slice(-2_000)}`)));
  });
}

function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref());
}
