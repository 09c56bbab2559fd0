import { Firing } from '@hookline/shared/contracts/automations';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';

export type FiringRow = RowOf<Firing, 'slot'> & {
  approvalMode: 'auto' | 'manual';
  scheduleRequestedAt: Date | null;
  /** In place of the brief's; null for an automation without topics. */
  topic: string | null;
};

export type OpenFiringRow = FiringRow & { accountId: string };

export type NewFiring = {
  id: string;
  automationId: string;
  accountId: string;
  slot: Date;
  status: 'fired' | 'skipped' | 'failed';
  approvalMode: 'auto' | 'manual';
  reason: string | null;
  now: Date;
};

export function toFiring(row: FiringRow): Firing {
  return recordOf(Firing, row);
}
