import type { Standing } from './standing.ts';

export type SessionRow = Standing & {
  id: string;
  userId: string;
  expiresAt: Date;
  createdAt: Date;
  /** Opened by a JWT of the OIDC issuer: not stored, and only the issuer can end it. */
  isOidc: boolean;
};

/** A session never changes, so it was last updated when it was created. */
export function toSession({ id, expiresAt, createdAt }: Pick<SessionRow, 'id' | 'expiresAt' | 'createdAt'>) {
  const created = createdAt.toISOString();
  return { id, expiresAt: expiresAt.toISOString(), createdAt: created, updatedAt: created };
}
