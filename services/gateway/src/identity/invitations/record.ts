import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import { Invitation } from '@hookline/shared/contracts/workspace';

export type InvitationRow = RowOf<Invitation, 'expiresAt'> & { accountId: string; invitedBy: string };

export function toInvitation(row: InvitationRow): Invitation {
  return recordOf(Invitation, row);
}
