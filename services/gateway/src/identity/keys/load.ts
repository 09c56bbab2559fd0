import type { Sql } from '@hookline/shared/postgres';
import { findStandingKeys } from './queries.ts';
import { type KeyRecord, toKeyRecord } from './record.ts';

/**
 * Reads the keys that are asked for in one turn by one statement: after a pause the copies of all keys have
 * expired, and a statement for each costs more than the request that needs it.
 */
export function createKeyLoader(sql: Sql): (keyHash: string) => Promise<KeyRecord | null> {
  let next: { keyHashes: string[]; found: Promise<Map<string, KeyRecord>> } | null = null;

  async function read(keyHashes: readonly string[]): Promise<Map<string, KeyRecord>> {
    await new Promise(resolve => setImmediate(resolve));
    next = null;
    const rows = await findStandingKeys(sql, keyHashes);
    return new Map(rows.map(row => [row.keyHash.toString('base64url'), toKeyRecord(row)]));
  }

  return async keyHash => {
    if (!next) {
      const keyHashes: string[] = [];
      next = { keyHashes, found: read(keyHashes) };
    }
    next.keyHashes.push(keyHash);
    return (await next.found).get(keyHash) ?? null;
  };
}
