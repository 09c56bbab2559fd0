import { deriveId } from '@hookline/shared/kernel/derive-id';

/**
 * The same id however often the slot is settled: content and scheduling then recognize a firing that this
 * database has forgotten.
 */
export function firingIdOfSlot(automationId: string, slot: Date): string {
  return deriveId('firing', automationId, slot.toISOString());
}

/**
 * The same id for a repeat of the request. A key is remembered for 24 hours, so on another day it asks for
 * another run.
 */
export function firingIdOfRun(automationId: string, idempotencyKey: string, now: Date): string {
  return deriveId('firing', automationId, idempotencyKey, now.toISOString().slice(0, 10));
}
