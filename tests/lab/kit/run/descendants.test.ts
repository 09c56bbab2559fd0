import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

/** A run with a server in a separate process group that, when deaf, ends by SIGKILL only. */
const run = (server: string): string => `
  import { spawn } from 'node:child_process';
  import { endOnSignals } from ${JSON.stringify(new URL('./descendants.ts', import.meta.url).href)};
  endOnSignals();
  const server = spawn(process.execPath, ['-e', ${JSON.stringify(server)}], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  server.unref();
  server.stdout.once('data', () => console.log(server.pid));
  setInterval(() => {}, 1_000);
`;
const obedient = 'console.log("up"); setInterval(() => {}, 1_000);';
const deaf = `process.on("SIGTERM", () => {}); ${obedient}`;

it.each([
  ['SIGINT', 130, obedient],
  ['SIGTERM', 143, obedient],
  ['SIGTERM', 143, deaf],
] as const)(
  'a run that gets %s ends with %i and leaves no server behind',
  async (signal, exitCode, server) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', run(server)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    const pid = Number(line);
    expect(() => process.kill(pid, 0)).not.toThrow();
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(exitCode);
    // Its new parent may not have reaped it yet.
    await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
  },
);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
