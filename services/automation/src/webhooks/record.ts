import type { PublicEventType, Webhook } from '@hookline/shared/contracts/webhooks';
import type { By } from '@hookline/shared/events';
import type { EventReads } from '../feed/record.ts';

/** The overlap of a secret after a rotation ends at `until`; the current one has null. */
export type SealedSecret = { sealed: string; until: string | null };

/** `EventReads` are those of the key that set `url`. */
export type WebhookRow = EventReads & {
  id: string;
  accountId: string;
  url: string;
  events: PublicEventType[];
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  secrets: SealedSecret[];
  failingSince: Date | null;
  createdBy: By | null;
  createdAt: Date;
  updatedAt: Date;
};

/** `times` and `days` (UTC midnights) are the newest five since the last success, newest first. */
export type Failures = { since: Date; times: readonly Date[]; days: readonly Date[] };

export function toWebhook(row: WebhookRow): Webhook {
  const { id, url, events, status, disabledReason, createdBy } = row;
  return {
    id,
    url,
    events,
    status,
    disabledReason,
    createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
