-- additive, no transaction
-- What a revoked key still has waiting.
create index concurrently if not exists schedules_waiting_of_key on schedules (key_id, id) where status = 'pending';
