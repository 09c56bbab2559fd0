-- additive: the Postgres log, the bus of the embedded mode. Private to the bus adapter: no service reads these tables.

create table topics (
  topic text primary key constraint topics_topic_not_blank check (topic <> ''),
  -- Last assigned position; 0 while the topic is empty. A publisher holds this row's lock until it commits,
  -- so every position up to a head that can be seen can be read: no gaps.
  head bigint not null default 0 constraint topics_head_not_negative check (head >= 0)
) with (fillfactor = 50);

create table messages (
  topic text not null references topics (topic),
  position bigint not null constraint messages_position_positive check (position > 0),
  key text not null,
  value text not null,
  headers jsonb not null,
  created_at timestamptz not null default now(),
  primary key (topic, position)
);

create table cursors (
  group_name text not null constraint cursors_group_not_blank check (group_name <> ''),
  topic text not null references topics (topic),
  -- Every message up to this position is settled by the group: its handler finished, or it is dead-lettered.
  position bigint not null constraint cursors_position_not_negative check (position >= 0),
  primary key (group_name, topic)
) with (fillfactor = 50);
