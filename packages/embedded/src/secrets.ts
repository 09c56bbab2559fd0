/** Secrets that `npm start` creates at the first start and keeps in the data folder (0600). */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@hookline/shared/contracts/scopes';
import { callsBetweenServices } from '@hookline/shared/http';
import { ConfigurationError } from '@hookline/shared/kernel';
import { z } from 'zod';

const Secrets = z.object({
  encryptionKey: z.string(),
  /** The value of `ENCRYPTION_KEYS`; replaces `encryptionKey` once the keys were rotated. */
  encryptionRing: z.string().optional(),
  mediaSigningKey: z.string(),
  serviceSigningKeys: z.record(z.enum(serviceNames), z.string()),
  databasePasswords: z.record(z.string(), z.string()),
  simulatedClientSecret: z.string(),
});
export type Secrets = z.infer<typeof Secrets>;

/**
 * Reads the secrets, or creates them with the folder.
 * @throws ConfigurationError when the file cannot be read, or is gone from a folder with a database
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigurationError(`${path} cannot be read (${error.code}).`);
  });
  if (text !== null || hasOwnDatabase(dataDir)) {
    try {
      return Secrets.parse(JSON.parse(text ?? ''));
    } catch {
      throw new ConfigurationError(
        `${path} is ${text === null ? 'gone' : 'damaged'}; without it nothing sealed in ${dataDir} can be opened. Restore a copy, or start over with "npm run nuke".`,
      );
    }
  }
  // `link` fails for the second of two first starts, which then reads what the other made.
  await writeSecrets(path, makeSecrets(), link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return await loadSecrets(dataDir);
}

/** False before the first start, and where DATABASE_URL names a database elsewhere. */
export function hasOwnDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'password'));
}

/** Writes atomically: a kill in the middle must not leave half a file. */
async function writeSecrets(path: string, secrets: Secrets, place = rename): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(JSON.stringify(secrets, null, 2));
  await file.sync();
  await file.close();
  await chmod(draft, 0o600);
  await place(draft, path).finally(() => rm(draft, { force: true }));
}

/** `ENCRYPTION_KEYS` of a data folder: the current key first. */
export async function encryptionRingOf(dataDir: string): Promise<string> {
  return ringOf(await loadSecrets(dataDir));
}

export function ringOf(secrets: Secrets): string {
  return secrets.encryptionRing ?? `first:${secrets.encryptionKey}`;
}

export async function saveEncryptionRing(dataDir: string, encryptionRing: string): Promise<void> {
  const secrets = await loadSecrets(dataDir);
  // The first key must not remain in a file when nothing is sealed with it any more.
  const encryptionKey = encryptionRing.includes(secrets.encryptionKey) ? secrets.encryptionKey : '';
  await writeSecrets(join(dataDir, 'secrets.json'), { ...secrets, encryptionKey, encryptionRing });
}

function makeSecrets(): Secrets {
  const key = (): string => randomBytes(32).toString('base64');
  const password = (): string => randomBytes(24).toString('base64url');
  return {
    encryptionKey: key(),
    mediaSigningKey: key(),
    serviceSigningKeys: Object.fromEntries(serviceNames.map(name => [name, key()])) as Record<
      ServiceName,
      string
    >,
    databasePasswords: Object.fromEntries(['bus', ...serviceNames].map(name => [name, password()])),
    simulatedClientSecret: password(),
  };
}

/**
 * `SERVICE_SIGNING_KEYS` of one service: its own key first, then a key for each service that it calls and
 * each that calls it. The keys of pairs are derived from the sender's own, which nobody else holds.
 */
export function signingKeysOf({ serviceSigningKeys: own }: Secrets, service: ServiceName): string {
  const pairs = callsBetweenServices.filter(pair => pair.includes(service));
  const derived = pairs.map(
    ([sender, audience]) => `${sender}.to-${audience}:${pairKey(own[sender], audience)}`,
  );
  return [`${service}:${own[service]}`, ...derived].join(',');
}

function pairKey(ownKey: string, audience: ServiceName): string {
  return createHmac('sha256', Buffer.from(ownKey, 'base64')).update(`to ${audience}`).digest('base64');
}
