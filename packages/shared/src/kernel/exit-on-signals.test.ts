import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

const script = `
  import { createLogger, createShutdown, exitOnSignals } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
  const log = createLogger({ service: 'test', level: 'silent' });
  const shutdown = createShutdown(log);
  shutdown.add('workers', 'slow', () => new Promise(resolve => setTimeout(resolve, 1_500)));
  exitOnSignals(shutdown, log);
  setInterval(() => {}, 1_000);
  console.log('ready');
`;

/** @returns the exit code after both signals, or after the one */
async function signal(first: NodeJS.Signals, pauseMs = 0, second?: NodeJS.Signals): Promise<number | null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  child.kill(first);
  await delay(pauseMs);
  if (second) child.kill(second);
  const [code] = await exited;
  return code;
}

it.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends the process after its shutdown',
  async one => {
    expect(await signal(one)).toBe(0);
  },
);

describe.concurrent('a second signal', () => {
  it('that follows at once is the same Ctrl-C, from the terminal and from npm', async () => {
    expect(await signal('SIGINT', 50, 'SIGINT')).toBe(0);
  });

  it('ends the process at once when it comes later', async () => {
    expect(await signal('SIGINT', 800, 'SIGINT')).toBe(1);
  });

  it('ends the process at once when it is another one', async () => {
    expect(await signal('SIGINT', 50, 'SIGTERM')).toBe(1);
  });
});
