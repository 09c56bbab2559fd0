-- additive
-- A delivery is written many times for each event, so it carries what it needs and no more. No foreign keys: each
-- costs a look-up and a row lock per delivery, endpoints are never removed (deleted_at) and events go together
-- with their deliveries. One index serves both the rule and the removal by event.
alter table deliveries drop constraint deliveries_webhook_id_fkey;
alter table deliveries drop constraint deliveries_event_id_fkey;
alter table deliveries drop constraint deliveries_one_per_event;
alter table deliveries add constraint deliveries_one_per_event unique (event_id, webhook_id);
drop index deliveries_by_event;
