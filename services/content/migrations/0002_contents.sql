-- additive
create table contents (
  id text primary key,
  account_id text not null,
  app_id text not null references apps (id),
  type text not null,
  status text not null,
  approval_status text not null default 'pending',
  brief jsonb,
  result jsonb,
  -- How the deck was written: an edit is drawn in the same look, with the fonts of the same language.
  archetype text,
  language text,
  version integer not null default 1,
  cost_charged integer not null default 0,
  notice text,
  error_code text,
  error_message text,
  origin_automation_id text,
  origin_firing_id text,
  -- An automation's content approves itself when it is ready, or waits for a person.
  origin_approval_mode text,
  request_id text,
  decided_version integer,
  decision text,
  decided_at timestamptz(3),
  decided_by_key_id text,
  lease_token text,
  lease_until timestamptz,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint content_type_known check (type in ('slideshow', 'illustrated', 'hook_video')),
  constraint content_status_known check (status in ('queued', 'running', 'ready', 'failed')),
  constraint content_approval_known check (approval_status in ('pending', 'approved', 'rejected')),
  constraint content_ready_has_result check (status <> 'ready' or result is not null),
  constraint content_failed_has_reason check (status <> 'failed' or error_code is not null),
  constraint content_charged_only_when_ready check (cost_charged = 0 or (cost_charged = 1 and status = 'ready')),
  constraint content_approved_only_when_ready check (approval_status = 'pending' or status = 'ready')
);

create index contents_newest on contents (account_id, created_at desc, id desc);
-- One content per firing, however often the event comes.
create unique index contents_one_per_firing on contents (origin_firing_id) where origin_firing_id is not null;
-- What the generation worker looks for.
create index contents_to_generate on contents (created_at) where status in ('queued', 'running');

create table approvals (
  content_id text not null references contents (id),
  version integer not null,
  decision text not null,
  key_id text,
  request_id text,
  decided_at timestamptz(3) not null,
  constraint approval_decision_known check (decision in ('approved', 'rejected'))
);

create index approvals_by_content on approvals (content_id, decided_at);

create table slide_images (
  id text primary key,
  content_id text not null references contents (id),
  version integer not null,
  slide_index integer not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  content_type text not null,
  digest bytea not null,
  created_at timestamptz(3) not null,
  constraint slide_image_once unique (content_id, version, slide_index)
);

-- A schedule's right to send a content. While one is open, approve, reject and edit answer already_sending;
-- after one that ended as sent they answer already_sent.
create table send_permits (
  schedule_id text primary key,
  content_id text not null references contents (id),
  version integer not null,
  -- The schedule's last event when the permit was granted: a retry must not lose it to the failure before.
  after_sequence bigint not null,
  granted_at timestamptz(3) not null,
  released_at timestamptz(3),
  outcome text,
  constraint send_permit_outcome_known check (outcome is null or outcome in ('sent', 'failed')),
  constraint send_permit_released_with_outcome check ((released_at is null) = (outcome is null))
);

create index send_permits_by_content on send_permits (content_id);
