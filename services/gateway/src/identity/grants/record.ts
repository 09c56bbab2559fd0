import type { Role, Scope } from '@hookline/shared/contracts/scopes';

export type OAuthCodeRow = {
  codeHash: Buffer;
  clientId: string;
  redirectUri: string;
  challenge: string;
  accountId: string;
  userId: string;
  name: string;
  scopes: Scope[];
  /** The key that the code was exchanged for; null before. */
  keyId: string | null;
  expiresAt: Date;
};

export type OAuthGrantRow = {
  keyId: string;
  accountId: string;
  keyName: string;
  clientId: string;
  scopes: Scope[];
  refreshHash: Buffer;
  accessExpiresAt: Date;
  /** Null before the first refresh was made. */
  replaced: { hash: Buffer; at: Date; salt: Buffer } | null;
  /** When the key ends unless a refresh moves it. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Null stands for a former member. */
  role: Role | null;
};

export type OAuthAccessRow = { keyId: string; keyHash: Buffer; accessExpiresAt: Date };
