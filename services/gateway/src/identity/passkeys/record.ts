export type PasskeyRow = {
  id: string;
  userId: string;
  credentialId: Buffer;
  /** SubjectPublicKeyInfo in DER. */
  publicKey: Buffer;
  signCount: number;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

export function toPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow) {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
