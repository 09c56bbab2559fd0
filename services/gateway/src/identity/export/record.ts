export type ExportRow = {
  id: string;
  accountId: string;
  requestedBy: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
};

export function toExport({ id, expiresAt, createdAt, updatedAt }: ExportRow, url: string) {
  return {
    id,
    status: 'ready' as const,
    url,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
