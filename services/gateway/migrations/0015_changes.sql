-- additive
-- Resources that requests changed and of which no event tells, for the streams of browsers: one row per resource with its
-- newest change. Positions are given out one transaction after the other, so whoever has read one has read all before it.
create table changes (
  account_id text not null,
  kind text not null,
  -- Empty where the request did not name it.
  resource_id text not null,
  position bigint generated always as identity,
  changed_at timestamptz(3) not null,
  primary key (account_id, kind, resource_id)
);

create unique index changes_position_unique on changes (account_id, position);
create index changes_oldest on changes (changed_at);
