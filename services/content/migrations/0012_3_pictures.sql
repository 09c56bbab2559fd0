-- additive
-- Pictures of an app: uploaded, or the screenshots of its store page. The files are in the image store.
create table pictures (
  id text primary key,
  account_id text not null,
  app_id text not null references apps (id),
  kind text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  content_type text not null,
  digest bytea not null,
  -- Where a screenshot was fetched.
  source_url text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint picture_kind_known check (kind in ('upload', 'screenshot')),
  constraint picture_screenshot_has_source check ((kind = 'screenshot') = (source_url is not null))
);

create index pictures_of_app on pictures (app_id, created_at desc, id desc);
create unique index pictures_one_per_source on pictures (app_id, source_url) where source_url is not null;
create index pictures_by_digest on pictures (digest);

-- Screenshots that are still to be fetched.
create table wanted_screenshots (
  app_id text not null references apps (id),
  source_url text not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  primary key (app_id, source_url)
);

create index wanted_screenshots_due on wanted_screenshots (due_at);
