import type { Firing } from '@hookline/shared/contracts/automations';

export type FiringRow = {
  id: string;
  automationId: string;
  slot: Date;
  status: Firing['status'];
  approvalMode: 'auto' | 'manual';
  contentId: string | null;
  scheduleId: string | null;
  scheduleRequestedAt: Date | null;
  reason: string | null;
  /** In place of the brief's; null for an automation without topics. */
  topic: string | null;
  createdAt: Date;
  updatedAt: Date;
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
  const { approvalMode: _mode, scheduleRequestedAt: _requested, topic: _topic, ...fields } = row;
  return {
    ...fields,
    slot: row.slot.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
