import type { Scope } from '@hookline/shared/contracts/scopes';
import type { KeyRecord } from '../limits/admission.ts';

export type ApiKeyRow = {
  id: string;
  accountId: string;
  name: string;
  prefix: string;
  keyHash: Buffer;
  scopes: Scope[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export function toApiKey(row: ApiKeyRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The part of the row that admission needs. */
export function toKeyRecord({ id, accountId, scopes, expiresAt, revokedAt }: ApiKeyRow): KeyRecord {
  return {
    keyId: id,
    accountId,
    scopes,
    expiresAtMs: expiresAt?.getTime() ?? null,
    isRevoked: revokedAt !== null,
  };
}
