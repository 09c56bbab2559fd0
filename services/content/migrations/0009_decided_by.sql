-- additive
-- Who took the current decision: {kind, id, name}; null in rows decided before. Valid for the decision of `decided_by_at`
-- only: a process of the version before decides without touching these columns.
alter table contents
  add column decided_by jsonb,
  add column decision_reason text,
  add column decided_by_at timestamptz(3),
  -- Who made or last edited the content: a user id, or the id of a key whose creator is unknown. Valid for
  -- `author_version` only, for the same reason.
  add column author_id text,
  add column author_version integer;

alter table approvals
  add column decided_by jsonb,
  add column reason text;
