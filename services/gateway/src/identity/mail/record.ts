import type { Push } from '@hookline/shared/contracts/push';
import type { Role } from '@hookline/shared/contracts/scopes';
import type { DecksWaiting } from '@hookline/shared/contracts/workspace';

export type MailKind =
  | 'invitation'
  | 'password_reset'
  | 'email_verification'
  | 'sign_in_slowed'
  | 'sign_in_changed'
  | 'decks_waiting'
  | 'nothing_new'
  | 'link_decided'
  | 'post_due'
  | 'post_failed'
  | 'account_reconnect'
  | 'credits_low'
  | 'week';

/** What a person is mailed when somebody changes how they sign in. */
export type SignInChange =
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkeys_reset'
  | 'recovery_codes_made'
  | 'recovery_code_used';

/** Its text is made when it is sent, so that no token is stored. */
export type MailRow = {
  id: string;
  kind: MailKind;
  recipient: string;
  /**
   * The invitation; the account, with the credits that are left; a change of the sign-in; for a user, the address stands in for the id until
   * the mail is sent.
   */
  subjectId: string;
  attempts: number;
  createdAt: Date;
  /** How many things it tells of, and the last of them. */
  facts: number;
  lines: string[];
};

export type NotificationsRow = {
  accountId: string;
  userId: string;
  role: Role;
  /** The OIDC issuer must have verified it: no link of ours proves another. */
  email: string | null;
  /** True for an address that was proven, or that the issuer vouches for. */
  isProven: boolean;
  decksWaiting: DecksWaiting;
  decksMailedAt: Date | null;
  weekly: boolean;
  postDue: boolean;
  timezone: string;
  workspace: string;
};

/** @param isMailSetUp false where no mail server is configured */
export function toNotifications(
  { decksWaiting: chosen, weekly, postDue, email, isProven }: NotificationsRow,
  isMailSetUp: boolean,
  push: Push,
) {
  const mails = { decksWaiting: chosen, weekly, postDue };
  return { push, ...mails, email, emailVerified: isProven, mailConfigured: isMailSetUp };
}

export function findByAddress<T extends { email: string }>(members: readonly T[], address: string): T | null {
  return members.find(({ email }) => email.toLowerCase() === address.toLowerCase()) ?? null;
}
