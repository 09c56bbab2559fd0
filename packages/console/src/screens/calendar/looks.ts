import type { Look } from '../../rules/calendar.ts';

export const looks: Readonly<Record<Look, string>> = {
  waiting: 'bg-sheet border-edge/60 border-s-4 border-s-go',
  held: 'bg-warn-wash border-dashed border-warn-ink text-warn-ink font-semibold',
  sending: 'bg-warn-wash border-transparent border-s-4 border-s-warn-ink text-warn-ink',
  due: 'bg-warn-wash border-warn-ink text-warn-ink font-semibold',
  sent: 'bg-go-wash border-transparent text-go-ink',
  failed: 'bg-float text-on-float border-float font-semibold',
  planned: 'border-dashed border-edge text-soft',
  free: 'border-dashed border-edge/60 text-soft hover:bg-well',
};

/** Each account has one, in the order in which they were connected. Red is for what was not posted. */
export const accountColours = ['bg-go', 'bg-focus', 'bg-warn-ink', 'bg-ink', 'bg-edge'] as const;
