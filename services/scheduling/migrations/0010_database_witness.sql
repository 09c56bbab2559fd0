-- additive
-- Why a pause is open. Null: an operator's. went_back: the database is younger than what was sent from it. restored: as
-- before, and what may have been sent is closed. failover: another server answers; ends by itself at ends_at.
alter table sending_pauses add column cause text
  constraint sending_pause_cause_known check (cause in ('went_back', 'restored', 'failover'));
alter table sending_pauses add column ends_at timestamptz(3);

-- How far this service has read its own events on the bus: the bus is ahead only of a database that went back.
create table witnessed_offsets (
  topic text not null,
  partition integer not null,
  -- The offset after the last event that was compared.
  settled bigint not null,
  primary key (topic, partition)
);
