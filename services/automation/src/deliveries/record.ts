import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';
import { Delivery, type DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import type { MediaLinks } from '@hookline/shared/kernel';
import { type EventReads, type FeedEventRow, type TracedEvent, toEventObject } from '../feed/record.ts';
import type { SealedSecret } from '../webhooks/record.ts';

export type DeliveryRow = RowOf<Omit<Delivery, 'request' | 'response'>, 'nextAttemptAt'> & {
  attemptsMade: number;
};

export type ClaimedDelivery = DeliveryRow &
  EventReads & {
    url: string;
    secrets: SealedSecret[];
    /** The lease under which it was claimed. */
    token: string;
    event: TracedEvent;
  };

/** `response` is the answer to its last attempt, `event` null when it is no longer kept. */
export type ShownDelivery = DeliveryRow & {
  attemptedAt: Date | null;
  response: string | null;
  event: FeedEventRow | null;
};

export type AttemptRecord = {
  id: string;
  token: string;
  attempt: DeliveryAttempt;
  /** The first 1,024 bytes of the answer, as text. */
  response: string | null;
  now: Date;
};

/** `updatedAt` is the value when the delivery was claimed. A claim does not change it. */
export type SuccessRecord = AttemptRecord & { webhookId: string; updatedAt: Date };

export function toDelivery(
  row: ShownDelivery,
  links: MediaLinks,
  { endpoint, caller }: { endpoint: EventReads; caller: EventReads },
): Delivery {
  const { attemptedAt, event, response } = row;
  // Links are those of the last attempt, so that the text is the one that was signed.
  const at = attemptedAt ?? row.createdAt;
  const sent =
    event &&
    toEventObject(event, {
      links,
      at,
      readsContent: endpoint.readsContent && caller.readsContent,
      readsSchedules: endpoint.readsSchedules && caller.readsSchedules,
    });
  const isMoreThanCallerReads =
    (endpoint.readsContent && !caller.readsContent) || (endpoint.readsSchedules && !caller.readsSchedules);
  return recordOf(Delivery, {
    ...row,
    request: sent && JSON.stringify(sent),
    // An endpoint may answer with what it was sent.
    response: isMoreThanCallerReads ? null : response,
  });
}
