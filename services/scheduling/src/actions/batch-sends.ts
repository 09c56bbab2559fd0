import { createGatherer } from '@hookline/shared/kernel';
import { isConnectionError } from '@hookline/shared/postgres';
import { type AcceptDeps, type AcceptedCall, acceptAttempts } from './accept-attempts.ts';
import { type AskPermit, askPermits, isContentAway, type PermitPeers } from './ask-permits.ts';
import { type BeginDeps, type Beginning, type Begun, beginAttempts } from './begin-attempts.ts';

/**
 * Steps that several sends take together: one call to content, or one transaction, for all that come at the
 * same time.
 */
export type SendBatches = {
  askPermit: AskPermit;
  begin(beginning: Beginning): Promise<Begun>;
  accept(call: AcceptedCall): Promise<null>;
};

const batchMax = 32;

export function createSendBatches(deps: PermitPeers & BeginDeps & AcceptDeps): SendBatches {
  return {
    askPermit: createGatherer(orders => askPermits(deps, orders), batchMax, isContentAway),
    begin: createGatherer<Beginning, Begun>(items => beginAttempts(deps, items), batchMax, isConnectionError),
    accept: createGatherer<AcceptedCall, null>(
      calls => acceptAttempts(deps, calls),
      batchMax,
      isConnectionError,
    ),
  };
}
