-- contract, no transaction
-- webhook_queue is asked instead.
drop index concurrently if exists deliveries_due;
