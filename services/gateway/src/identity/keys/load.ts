import { createGatherer } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import { findStandingKeys } from './queries.ts';
import { type KeyRecord, toKeyRecord } from './record.ts';

const keysAtOnceMax = 1_000;

/**
 * Reads the keys that are asked for together by one statement: after a pause the copies of all keys have
 * expired, and a statement for each costs more than the request that needs it.
 */
export function createKeyLoader(sql: Sql): (keyHash: string) => Promise<KeyRecord | null> {
  async function read(keyHashes: readonly string[]): Promise<(KeyRecord | null)[]> {
    const rows = await findStandingKeys(sql, keyHashes);
    const found = new Map(rows.map(row => [row.keyHash.toString('base64url'), toKeyRecord(row)]));
    return keyHashes.map(keyHash => found.get(keyHash) ?? null);
  }
  return createGatherer(read, keysAtOnceMax, () => true);
}
