/** Mails with invitations within a day: from a workspace, and to an address from all of them together. */
export const mailsToAddressMax = 3;
const mailsOfWorkspaceMax = 20;
const mailsOfUnprovenMax = 5;

export type MailsOfDay = { toAddress: number; ofWorkspace: number };

/** The inviter chooses the names in such a mail, and the operator is its sender. */
export function mayMailInvitation({ toAddress, ofWorkspace }: MailsOfDay, isProven: boolean): boolean {
  const max = isProven ? mailsOfWorkspaceMax : mailsOfUnprovenMax;
  return toAddress < mailsToAddressMax && ofWorkspace < max;
}
