import type { ContentMoment } from '@hookline/shared/contracts/content-timeline';

export type MomentRow = Omit<ContentMoment, 'at'> & { at: Date };

export function toMoment(row: MomentRow): ContentMoment {
  return { ...row, at: row.at.toISOString() };
}
