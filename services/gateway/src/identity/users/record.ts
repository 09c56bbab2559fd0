export type UserRow = {
  id: string;
  /** The person's own workspace has this id; a person who was invited has no such workspace. */
  accountId: string;
  email: string;
  name: string | null;
  /** When null, signs in at the OIDC issuer alone. */
  passwordHash: string | null;
  ownsWorkspace: boolean;
  emailVerifiedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type OidcUserRow = Omit<UserRow, 'email' | 'passwordHash' | 'ownsWorkspace' | 'emailVerifiedAt'> & {
  email: string | null;
  /** The address that the issuer last said is verified. */
  provenEmail: string | null;
  /** The identity signs in a user with a password: id, account, address and name are that user's. */
  isLinked: boolean;
};

export function toUser({ id, email, name, createdAt, updatedAt }: UserRow | OidcUserRow) {
  return { id, email, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
