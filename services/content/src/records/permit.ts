/** A schedule's permission to send, not yet released. */
export type OpenPermit = { scheduleId: string; grantedAt: Date };

/** `sequence`: that of the schedule's event. It does not release a permit granted after it. */
export type PermitEnd = { scheduleId: string; outcome: 'sent' | 'failed'; sequence: number };

/** `sending`: a permit is open. `sent`: one ended as sent, and none is open. */
export type SendState = 'none' | 'sending' | 'sent';

export function toOpenPermit({ scheduleId, grantedAt }: OpenPermit) {
  return { scheduleId, grantedAt: grantedAt.toISOString() };
}
