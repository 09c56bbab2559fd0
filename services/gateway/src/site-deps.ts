import type { FastifyRequest } from 'fastify';
import type { Inside } from './identity/keys/credential.ts';
import type { KeyRecord } from './identity/keys/record.ts';
import type { CommonDeps } from './identity-deps.ts';
import type { ConsoleEntry } from './site/console/entry.ts';
import type { Changes } from './site/stream/changes.ts';
import type { Streams } from './site/stream/streams.ts';

export type SiteDeps = CommonDeps & {
  consoleFolder: string;
  /** Is null unless this process printed a link to the console. */
  consoleEntry: ConsoleEntry | null;
  /** Origins whose pages may call. */
  corsOrigins: readonly string[];
  inside: Inside;
  /** Counts a request of a key in its windows. @throws ApiError for a request that is refused */
  admitKey(request: FastifyRequest, keyHash: string): Promise<KeyRecord>;
  /** Counts nothing. */
  findKey(keyHash: string): Promise<KeyRecord | null>;
  changes: Changes;
  streams: Streams;
};
