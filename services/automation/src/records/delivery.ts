import type { Delivery, DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import type { TracedEvent } from './feed-event.ts';
import type { SealedSecret } from './webhook.ts';

export type DeliveryRow = {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  attemptsMade: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** A delivery under this process's lease, with what an attempt needs. */
export type ClaimedDelivery = DeliveryRow & {
  url: string;
  secrets: SealedSecret[];
  readsContent: boolean;
  event: TracedEvent;
};

/** An attempt to write, with the token of the lease under which it was made. */
export type AttemptRecord = { id: string; token: string; attempt: DeliveryAttempt; now: Date };

/** `updatedAt`: the delivery's value when it was claimed. A claim does not change it. */
export type SuccessRecord = AttemptRecord & { webhookId: string; updatedAt: Date };

export function toDelivery(row: DeliveryRow): Delivery {
  const { attemptsMade: _made, ...fields } = row;
  return {
    ...fields,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
