import type { ApprovalPolicy } from '@hookline/shared/contracts/approval-policy';
import { ApiKey } from '@hookline/shared/contracts/auth';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import type { Role, Scope } from '@hookline/shared/contracts/scopes';
import type { Standing } from '../standing/record.ts';
import { effectiveScopes } from '../standing/roles.rules.ts';

/** The role of the creator may have fewer scopes. */
export type ApiKeyRow = RowOf<ApiKey, 'expiresAt' | 'lastUsedAt' | 'revokedAt'> & {
  accountId: string;
  keyHash: Buffer;
};

export function toApiKey(row: ApiKeyRow): ApiKey {
  return recordOf(ApiKey, row);
}

export type StandingKeyRow = Pick<
  ApiKeyRow,
  'id' | 'accountId' | 'name' | 'keyHash' | 'scopes' | 'expiresAt' | 'revokedAt' | 'createdBy'
> & {
  /** Is null when the creator is not a member: the key opens nothing. */
  role: Role | null;
  approvalPolicy: ApprovalPolicy;
  deletesAtMs: number | null;
  readAtUs: number;
};

export function toKeyRecord(row: StandingKeyRow): KeyRecord {
  const { id, accountId, name, expiresAt, revokedAt, createdBy, role, approvalPolicy, deletesAtMs } = row;
  return {
    keyId: id,
    readAtUs: row.readAtUs,
    accountId,
    role: role ?? 'viewer',
    scopes: role === null ? [] : effectiveScopes(row.scopes, role),
    approvalPolicy,
    deletesAtMs,
    actor: { kind: 'key', id, name },
    createdBy,
    expiresAtMs: expiresAt?.getTime() ?? null,
    isRevoked: revokedAt !== null || role === null,
  };
}

/**
 * The gateway's copy of an API key's row in Postgres, of its creator's role and of the workspace's policy,
 * used for at most `leaseMs`.
 */
export type KeyRecord = Standing & {
  keyId: string;
  /** When the row was read, in µs by the clock of the database. */
  readAtUs: number;
  scopes: readonly Scope[];
  createdBy: { userId: string; name: string } | null;
  expiresAtMs: number | null;
  isRevoked: boolean;
};

/** The copies of key records that gateways admit requests with. */
export type KeyCopies = {
  /** Resolves once no gateway can admit the key. Call it after the row has changed. */
  revoke(keyHash: string): Promise<void>;
  /**
   * Replaces the copies of a live key whose role or policy has changed, except those that were read later.
   * Resolves once no gateway uses an older one. Call it with a record that was read after the change.
   */
  replace(keyHash: string, key: KeyRecord, ageMs: number): Promise<void>;
};
