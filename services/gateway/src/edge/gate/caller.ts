import type { Caller } from '@hookline/shared/http';
import type { Standing } from '../../identity/standing/record.ts';

/** What an authentication record, of a key or a session, says about the caller. */
type Authenticated = Pick<Standing, 'accountId' | 'actor' | 'approvalPolicy'> &
  Pick<Caller, 'keyId' | 'userId' | 'scopes'> & {
    /** Of a key: who minted it. Null if unknown, and for a session. */
    createdBy: { userId: string } | null;
  };

/** The caller as the signed headers carry it. */
export function toCaller({ actor, createdBy, ...who }: Authenticated): Caller {
  const { accountId, keyId, userId, scopes, approvalPolicy } = who;
  return {
    ...{ accountId, keyId, userId, scopes, approvalPolicy },
    actor: { ...actor, creatorId: createdBy?.userId ?? null },
  };
}
