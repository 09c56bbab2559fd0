-- additive, no transaction
-- For the calendar: schedules in the order of their times.
create index concurrently if not exists schedules_by_time on schedules (account_id, scheduled_for, id);
