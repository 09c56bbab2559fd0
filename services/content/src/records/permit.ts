/** A schedule's right to send that has not been released. */
export type OpenPermit = { scheduleId: string; grantedAt: Date };

/** `sequence`: of the schedule's event. A permit that was granted after it is not released by it. */
export type PermitEnd = { scheduleId: string; outcome: 'sent' | 'failed'; sequence: number };

/** `sending`: a permit is open. `sent`: one ended as sent, and none is open. */
export type SendState = 'none' | 'sending' | 'sent';

export function toOpenPermit({ scheduleId, grantedAt }: OpenPermit) {
  return { scheduleId, grantedAt: grantedAt.toISOString() };
}
