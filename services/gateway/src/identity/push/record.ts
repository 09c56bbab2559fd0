import type { PushKind } from '@hookline/shared/contracts/push';

export type PushRow = {
  id: number;
  sessionId: string;
  accountId: string;
  userId: string;
  kind: PushKind;
  attempts: number;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  sessionEndsAt: Date;
  /** True while the browser's session is in the workspace. */
  isEntered: boolean;
  /** Null where the person is no member any more, or wants no such notification. */
  workspace: string | null;
};
