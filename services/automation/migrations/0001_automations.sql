-- additive
create table automations (
  id text primary key,
  account_id text not null,
  app_id text not null,
  tiktok_account_id text not null,
  format text not null,
  posting_times jsonb not null,
  timezone text not null,
  brief jsonb,
  approval_mode text not null,
  posting_mode text not null,
  privacy_level text,
  status text not null default 'active',
  -- The first slot that has not been settled; null while paused or deleted.
  next_fire_at timestamptz(3),
  -- The row stays for the firings that are still on their way (decision 46).
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint automation_format_known check (format in ('slideshow', 'hook_video')),
  constraint automation_approval_mode_known check (approval_mode in ('auto', 'manual')),
  constraint automation_posting_mode_known check (posting_mode in ('drafts', 'publish')),
  constraint automation_status_known check (status in ('active', 'paused')),
  constraint automation_privacy_only_with_publish check ((posting_mode = 'publish') = (privacy_level is not null)),
  constraint automation_fires_only_when_active check (
    next_fire_at is null or (status = 'active' and deleted_at is null)
  )
);

create index automations_newest on automations (account_id, created_at desc, id desc) where deleted_at is null;
-- What the firing worker looks for.
create index automations_due on automations (next_fire_at) where next_fire_at is not null;

create table firings (
  id text primary key,
  automation_id text not null references automations (id),
  account_id text not null,
  slot timestamptz(3) not null,
  status text not null,
  -- As it stood when the slot fired: the content follows this one.
  approval_mode text not null,
  content_id text,
  schedule_id text,
  -- Set in the transaction that asks for the schedule, so that a second approval asks for no second one.
  schedule_requested_at timestamptz(3),
  reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint firings_one_per_slot unique (automation_id, slot),
  constraint firing_status_known check (
    status in ('fired', 'generated', 'awaiting_approval', 'scheduled', 'done', 'failed', 'skipped')
  ),
  constraint firing_end_has_reason check (status not in ('failed', 'skipped') or reason is not null)
);

create index firings_newest on firings (automation_id, created_at desc, id desc);
