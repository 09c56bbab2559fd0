/** The rows of `npm start` that belong to a request. Read-only, each schema with its own role. */
import type { Sql } from '@hookline/shared/postgres';

export type EventRow = { id: string; type: string; source: string; key: string; at: Date };

/** Events that the request caused, and those of schedules that it created, which workers write later. */
export function listEvents(bus: Sql, requestId: string, scheduleIds: readonly string[]): Promise<EventRow[]> {
  return bus.query<EventRow>(
    `select headers->>'ce_id' as id, headers->>'ce_type' as type, headers->>'ce_source' as source, key,
       (headers->>'ce_time')::timestamptz as at
     from messages
     where headers->>'ce_requestid' = $1 or key = any ($2)
     order by at, position`,
    [requestId, scheduleIds],
  );
}

export type Receipt = { consumer: string; eventId: string; at: Date };

export function listReceipts(service: Sql, eventIds: readonly string[]): Promise<Receipt[]> {
  return service.query<Receipt>(
    `select consumer, event_id as "eventId", received_at as at from inbox
     where event_id = any ($1) order by received_at`,
    [eventIds],
  );
}

export function listScheduleIds(scheduling: Sql, requestId: string): Promise<string[]> {
  return scheduling.column<string>('select id from schedules where request_id = $1', [requestId]);
}

export type CreditRow = { amount: number; reason: string; contentId: string | null; at: Date };

export function listCredits(content: Sql, requestId: string): Promise<CreditRow[]> {
  return content.query<CreditRow>(
    `select amount, reason, content_id as "contentId", created_at as at from credit_ledger
     where request_id = $1 order by created_at`,
    [requestId],
  );
}

export type DeliveryRow = {
  eventId: string;
  webhookId: string;
  status: string;
  attempts: { at: string; durationMs: number; responseStatus: number | null; error: string | null }[];
};

export function listDeliveries(automation: Sql, eventIds: readonly string[]): Promise<DeliveryRow[]> {
  return automation.query<DeliveryRow>(
    `select event_id as "eventId", webhook_id as "webhookId", status, attempts from deliveries
     where event_id = any ($1) order by created_at`,
    [eventIds],
  );
}
