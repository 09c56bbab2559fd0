import type { Role } from '@hookline/shared/contracts/scopes';
import type { DecksWaiting } from '@hookline/shared/contracts/workspace';

export type MailKind =
  | 'invitation'
  | 'password_reset'
  | 'email_verification'
  | 'sign_in_slowed'
  | 'decks_waiting'
  | 'nothing_new'
  | 'post_due';

/** Its text is made when it is sent, so that no token is stored. */
export type MailRow = {
  id: string;
  kind: MailKind;
  recipient: string;
  /**
   * The invitation; the account where content waits; the account and the schedule that is due; for a user, the address stands in for the
   * id until the mail is sent.
   */
  subjectId: string;
  attempts: number;
  createdAt: Date;
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
  timezone: string;
  workspace: string;
};

/** @param isMailSetUp false where no mail server is configured */
export function toNotifications(
  { decksWaiting: chosen, email, isProven }: NotificationsRow,
  isMailSetUp: boolean,
) {
  return { decksWaiting: chosen, email, emailVerified: isProven, mailConfigured: isMailSetUp };
}
