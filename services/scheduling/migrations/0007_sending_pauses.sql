-- additive
-- Times in which an operator let no post go out. While one is open, nothing is claimed and no call begins.
create table sending_pauses (
  id bigint generated always as identity primary key,
  paused_at timestamptz(3) not null,
  reason text,
  resumed_at timestamptz(3),
  constraint sending_pause_ends_after_it_began check (resumed_at >= paused_at)
);

create unique index sending_pauses_one_open on sending_pauses ((true)) where resumed_at is null;
