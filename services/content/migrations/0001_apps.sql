-- additive
create table apps (
  id text primary key,
  account_id text not null,
  name text not null,
  details text not null,
  seed_hooks text[] not null,
  -- The normalised store listing that texts are written from.
  listing jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint app_name_not_blank check (name ~ '\S'),
  constraint app_seed_hooks_at_most_15 check (cardinality(seed_hooks) <= 15)
);

create index apps_newest on apps (account_id, created_at desc, id desc);
