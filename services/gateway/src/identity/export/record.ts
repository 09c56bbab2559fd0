import { recordOf } from '@hookline/shared/contracts/rows';
import { WorkspaceExport } from '@hookline/shared/contracts/workspace';

export type ExportRow = {
  id: string;
  accountId: string;
  requestedBy: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
};

export function toExport(row: ExportRow, url: string) {
  return recordOf(WorkspaceExport, { ...row, status: 'ready', url });
}
