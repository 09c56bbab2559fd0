export type SourceRow = {
  id: string;
  platform: 'instagram';
  username: string;
  status: 'connected' | 'needs_reauth';
  createdAt: Date;
  updatedAt: Date;
};

export function toSource({ createdAt, updatedAt, ...source }: SourceRow) {
  return { ...source, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
