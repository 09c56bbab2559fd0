/** Mails with invitations within a day: from a workspace, and to an address from all of them together. */
export const mailsToAddressMax = 3;
const mailsOfWorkspaceMax = 20;
const mailsOfUnprovenMax = 5;

export type MailsOfDay = { toAddress: number; ofWorkspace: number };

/** True where another mail may be sent: a name in it is of the inviter's choice, and the sender is the operator. */
export function mayMailInvitation({ toAddress, ofWorkspace }: MailsOfDay, isProven: boolean): boolean {
  const max = isProven ? mailsOfWorkspaceMax : mailsOfUnprovenMax;
  return toAddress < mailsToAddressMax && ofWorkspace < max;
}
