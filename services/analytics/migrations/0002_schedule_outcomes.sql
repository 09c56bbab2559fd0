-- additive
-- How schedules ended, for operators. TikTok's own numbers are never reported, and these enter no total.
create table schedule_outcomes (
  account_id text not null,
  day date not null,
  outcome text not null,
  schedules bigint not null,
  primary key (account_id, day, outcome),
  constraint schedule_outcome_known check (outcome in ('sent_to_drafts', 'published', 'failed')),
  constraint schedule_outcome_counted check (schedules > 0)
);

create index schedule_outcomes_by_day on schedule_outcomes (day);
