import { constants } from 'node:fs';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '@hookline/shared/kernel';

/**
 * Creates the data folder and checks that it is writable. @returns its absolute path. @throws
 * ConfigurationError
 */
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
