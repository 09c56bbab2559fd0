import type { Role } from '@hookline/shared/contracts/scopes';
import type { DecksWaiting } from '@hookline/shared/contracts/workspace';

/** What a member chose to be mailed about, with what the next mail depends on. */
export type NotificationsRow = {
  accountId: string;
  userId: string;
  role: Role;
  /** Of a person of the OIDC issuer, the one that it said is verified: no link of ours proves another. */
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
