import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Keeps a second process off the folder: it would rewrite the journal, and what the first one writes afterwards
 * would be lost. The name in Linux's abstract namespace ends with the process; elsewhere nothing is kept off.
 * @returns its release
 */
export async function claimFolder(dataDir: string): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const digest = createHash('sha256').update(realpathSync(dataDir)).digest('hex');
  const server = createServer().listen(`\0hookline-simulators-${digest.slice(0, 32)}`);
  await once(server, 'listening').catch(() => {
    throw new Error(
      `simulators run on ${dataDir}, perhaps those of npm start: stop them, or name another DATA_DIR.`,
    );
  });
  return () => server.close();
}
