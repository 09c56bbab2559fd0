-- additive
-- Calls made anew by themselves in this run, after the platform had ended the one before as failed.
alter table schedules add column resends integer not null default 0;

-- The attempts of a withdrawn schedule stay: news of its fenced calls may come later, and is theirs.
alter table attempts alter column schedule_id drop not null;
alter table attempts drop constraint attempts_schedule_id_fkey;
alter table attempts add constraint attempts_schedule_id_fkey
  foreign key (schedule_id) references schedules (id) on delete set null not valid;
alter table attempts validate constraint attempts_schedule_id_fkey;
create index attempts_withdrawn on attempts (started_at) where schedule_id is null;
