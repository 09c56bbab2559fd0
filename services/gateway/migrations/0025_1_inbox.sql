-- additive
-- Events of the other services that were handled, as in their schemas (packages/shared/migrations/messaging).
create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

-- For pruning by age.
create index inbox_received_at on inbox (received_at);
