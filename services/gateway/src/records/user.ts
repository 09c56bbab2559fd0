export type UserRow = {
  id: string;
  accountId: string;
  email: string;
  name: string | null;
  passwordHash: string;
  createdAt: Date;
  updatedAt: Date;
};

/** A user of the OIDC issuer. */
export type OidcUserRow = Omit<UserRow, 'email' | 'passwordHash'> & { email: string | null };

export function toUser({ id, email, name, createdAt, updatedAt }: UserRow | OidcUserRow) {
  return { id, email, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
