import { type ApprovalPolicy, approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import type { Caller } from '@hookline/shared/http';

/** What an authentication record, of a key or a session, says about the caller. */
export type Authenticated = Pick<Caller, 'accountId' | 'keyId' | 'userId' | 'scopes'> & {
  actor?: { name: string } | undefined;
  /** Of a key: who minted it. */
  createdBy?: { userId: string } | null | undefined;
  approvalPolicy?: ApprovalPolicy | undefined;
};

/** The caller as the signed header carries it. A record without a name, creator or policy gets the defaults. */
export function toCaller({ actor, createdBy, approvalPolicy, ...who }: Authenticated): Caller {
  const { accountId, keyId, userId, scopes } = who;
  const id = keyId ?? userId;
  const kind = keyId === null ? 'person' : 'key';
  return {
    ...{ accountId, keyId, userId, scopes },
    actor: id === null ? null : { kind, id, name: actor?.name ?? id, creatorId: createdBy?.userId ?? null },
    approvalPolicy: approvalPolicy ?? approvalPolicies.open,
  };
}
