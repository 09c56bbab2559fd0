import { constants } from 'node:fs';
import { access, chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '@hookline/shared/kernel';

/**
 * Creates the data folder, checks that it is writable, and lets no other user list or change it.
 * @returns its absolute path.
 * @throws ConfigurationError
 */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  const probe = join(path, `.write-probe.${process.pid}`);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await closeToOthers(path);
    await access(path, constants.W_OK | constants.X_OK);
    await writeFile(probe, 'x').finally(() => rm(probe, { force: true }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy = code === 'ENOSPC' ? 'free some space' : 'make it writable';
    throw new ConfigurationError(
      `The data folder ${path} cannot be written (${code}): ${remedy}, or name another with DATA_DIR.`,
    );
  }
  return path;
}

/**
 * A folder that was there before may have been made for everybody, and most files in it are readable by all.
 */
async function closeToOthers(path: string): Promise<void> {
  const { uid, mode } = await stat(path);
  // Passing through stays allowed where it was: Postgres may run as another user.
  if (uid === process.getuid?.() && (mode & 0o066) !== 0) await chmod(path, mode & 0o7711);
}
