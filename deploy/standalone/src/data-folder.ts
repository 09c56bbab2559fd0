import { constants } from 'node:fs';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '@hookline/shared/kernel';

/** Makes the data folder and proves that it can be written. @returns its absolute path. @throws ConfigurationError */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  const probe = join(path, `.write-probe.${process.pid}`);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
    await writeFile(probe, '');
    await rm(probe, { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `The data folder ${path} cannot be written (${code}): make it writable, or name another with DATA_DIR.`,
    );
  }
  return path;
}

/** @throws ConfigurationError that names the setting and how to choose another, before anything is started. */
export async function requireFreePort(setting: string, port: number, host: string): Promise<void> {
  if (port === 0) return;
  const code = await new Promise<string | null>(settled => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => settled(error.code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => settled(null)));
  });
  if (code === null) return;
  const reason = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
  throw new ConfigurationError(
    `Port ${port} on ${host} ${reason}: stop what uses it, or choose another with ${setting}, e.g. "${setting}=${port + 10} npm start".`,
  );
}
