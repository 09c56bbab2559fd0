-- additive
-- A send changes its row twice while it is `sending`, and each change writes every index that the row is in. So
-- the indexes of the lists leave such rows out, which are few and have one of their own.
drop index schedules_newest, schedules_by_status, schedules_of_content, schedules_by_time,
  schedules_of_account_by_time, schedules_of_account,
  -- `schedules_by_turn` begins with the same column.
  schedules_waiting_by_account;

create index schedules_sending on schedules (account_id, created_at desc, id desc) where status = 'sending';

create index schedules_newest on schedules (account_id, created_at desc, id desc) where status <> 'sending';
-- For lists of one status: a filter that few rows pass must not read all the others.
create index schedules_by_status on schedules (account_id, status, created_at desc, id desc) where status <> 'sending';
-- For lists of one content.
create index schedules_of_content on schedules (content_id, created_at desc, id desc) where status <> 'sending';
-- For the calendar: schedules in the order of their times.
create index schedules_by_time on schedules (account_id, scheduled_for, id) where status <> 'sending';
-- For the calendar of one platform account.
create index schedules_of_account_by_time on schedules (platform_account_id, scheduled_for, id) where status <> 'sending';
-- For lists of one platform account: a filter that few rows pass must not read all the others.
create index schedules_of_account on schedules (platform_account_id, created_at desc, id desc) where status <> 'sending';
