import type { Standing } from '../standing/record.ts';

export type SessionRow = Standing & {
  id: string;
  userId: string;
  expiresAt: Date;
  createdAt: Date;
  /** False: somebody who signed up has not proven the address yet. */
  isVerified: boolean;
};

export type SessionOfPersonRow = Pick<SessionRow, 'id' | 'expiresAt' | 'createdAt'> & {
  client: string | null;
  lastUsedAt: Date | null;
};

export function toSessionOfPerson(row: SessionOfPersonRow, current: string) {
  return {
    ...toSession(row),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    client: row.client,
    current: row.id === current,
  };
}

/** A session never changes, so it was last updated when it was created. */
export function toSession({ id, expiresAt, createdAt }: Pick<SessionRow, 'id' | 'expiresAt' | 'createdAt'>) {
  const created = createdAt.toISOString();
  return { id, expiresAt: expiresAt.toISOString(), createdAt: created, updatedAt: created };
}
