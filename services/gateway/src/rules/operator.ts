import type { By } from '../records/audit-event.ts';

/** An operator command, in the audit log. */
export const byOperator: By = {
  actor: { kind: 'operator', id: null, name: 'operator' },
  address: null,
  requestId: null,
};
