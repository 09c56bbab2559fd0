-- additive
-- Who made the content: { kind, id, name }. Null in rows of earlier versions, and where an automation did.
alter table contents add column made_by jsonb;

-- What no other table keeps: edits, and what became of the schedules. Made, charged, decided and sent are read where they
-- are written.
create table content_timeline (
  content_id text not null,
  at timestamptz(3) not null,
  what text not null,
  made_by jsonb,
  version integer,
  schedule_id text,
  detail text
);

create index content_timeline_by_content on content_timeline (content_id, at);
