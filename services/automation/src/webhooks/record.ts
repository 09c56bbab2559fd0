import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import { Webhook } from '@hookline/shared/contracts/webhooks';
import type { EventReads } from '../feed/record.ts';

/** The overlap of a secret after a rotation ends at `until`; the current one has null. */
export type SealedSecret = { sealed: string; until: string | null };

/** `EventReads` are those of the key that set `url`. */
export type WebhookRow = EventReads &
  RowOf<Webhook> & { accountId: string; secrets: SealedSecret[]; failingSince: Date | null };

/** `times` and `days` (UTC midnights) are the newest five since the last success, newest first. */
export type Failures = { since: Date; times: readonly Date[]; days: readonly Date[] };

export function toWebhook(row: WebhookRow): Webhook {
  return recordOf(Webhook, row);
}
