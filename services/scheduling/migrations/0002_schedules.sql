-- additive
create table schedules (
  id text primary key,
  account_id text not null,
  platform_account_id text not null references platform_accounts (id),
  content_id text not null,
  content_version integer not null,
  status text not null,
  mode text not null,
  privacy_level text,
  scheduled_for timestamptz(3) not null,
  title text not null,
  description text not null,
  -- False: the text is the content's own and follows its edits.
  is_title_given boolean not null,
  is_description_given boolean not null,
  disable_comment boolean not null,
  brand_organic boolean not null,
  branded_content boolean not null,
  ai_generated boolean not null,
  auto_add_music boolean not null,
  outcome text,
  failure jsonb,
  platform_post_id text,
  platform_post_url text,
  sent_at timestamptz(3),
  automation_id text,
  firing_id text,
  -- The request is the consent; kept for the platform's compliance rules.
  consented_at timestamptz(3) not null,
  key_id text,
  request_id text,
  -- Posted within the request that made it.
  is_immediate boolean not null,
  -- Waits for an approval since; null: does not.
  held_since timestamptz(3),
  -- When the sender looks next, by the database's clock; null: an attempt is being settled, or it is over.
  due_at timestamptz(3),
  -- Raised at every claim: the fencing token of the worker in charge.
  fence integer not null default 0,
  lease_until timestamptz,
  -- Tries of this run that made no post: unreachable, limited, fenced.
  tries integer not null default 0,
  -- Calls made anew by themselves in this run, after the platform had ended the one before as failed.
  resends integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint schedule_status_known check (status in ('pending', 'sending', 'sent', 'failed')),
  constraint schedule_mode_known check (mode in ('draft', 'publish')),
  constraint schedule_publish_has_privacy check (mode <> 'publish' or privacy_level is not null),
  constraint schedule_sent_has_outcome check ((status = 'sent') = (outcome is not null)),
  constraint schedule_failed_has_failure check ((status = 'failed') = (failure is not null)),
  constraint schedule_over_is_not_due check (status in ('pending', 'sending') or due_at is null)
);

create index schedules_newest on schedules (account_id, created_at desc, id desc);
create unique index schedules_one_waiting on schedules (content_id, platform_account_id)
  where status in ('pending', 'sending');
create unique index schedules_one_per_firing on schedules (firing_id) where firing_id is not null;
create index schedules_due on schedules (due_at) where due_at is not null;
create index schedules_held on schedules (content_id) where held_since is not null;
create index schedules_waiting_by_account on schedules (platform_account_id) where status = 'pending';

create table schedule_timeline (
  id bigint generated always as identity primary key,
  schedule_id text not null references schedules (id) on delete cascade,
  at timestamptz(3) not null,
  what text not null,
  detail text
);

create index schedule_timeline_by_schedule on schedule_timeline (schedule_id, id);

-- What automations asked for: answered once per firing with schedule.created or schedule.rejected.
create table schedule_requests (
  firing_id text primary key,
  account_id text not null,
  automation_id text not null,
  content_id text not null,
  platform_account_id text not null,
  scheduled_for timestamptz(3) not null,
  mode text not null,
  privacy_level text,
  schedule_id text not null,
  request_id text,
  tries integer not null default 0,
  -- Null: answered.
  due_at timestamptz(3),
  created_at timestamptz(3) not null
);

create index schedule_requests_due on schedule_requests (due_at) where due_at is not null;
create index schedule_requests_by_age on schedule_requests (created_at);
