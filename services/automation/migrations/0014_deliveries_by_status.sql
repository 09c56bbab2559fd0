-- additive, no transaction
-- Ended deliveries of an endpoint by status, in the order of the list. Pending ones have deliveries_due_by_webhook and are
-- left out, so that a delivery costs one entry, at its end.
create index concurrently if not exists deliveries_ended on deliveries (webhook_id, status, created_at desc, id desc)
  where status <> 'pending';
