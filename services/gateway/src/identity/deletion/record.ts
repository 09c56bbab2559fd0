import type { OwnerOfData, workspaceStandings } from '@hookline/shared/contracts/internal';

export type DeletionStanding = (typeof workspaceStandings)[number];

export type DeletionRow = {
  accountId: string;
  standing: DeletionStanding;
  revision: number;
  requestedBy: string | null;
  requestedAt: Date;
  deleteAt: Date;
  begunAt: Date | null;
  endedAt: Date | null;
};

export type DeletionPartRow = {
  service: OwnerOfData;
  dueAt: Date | null;
  attempts: number;
  deletedAt: Date | null;
  note: string | null;
};

export type DueReport = Pick<DeletionRow, 'accountId' | 'standing' | 'revision'> &
  Pick<DeletionPartRow, 'service' | 'attempts' | 'deletedAt'>;
