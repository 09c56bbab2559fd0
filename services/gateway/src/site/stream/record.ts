import type { ChangeKind } from './change.rules.ts';

export type NewChange = {
  accountId: string;
  kind: ChangeKind;
  resourceId: string;
};

export type ChangeRow = NewChange & {
  position: number;
  /** The position that it was asked after. */
  after: number;
};
