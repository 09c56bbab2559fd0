-- additive
-- Backups that the schema was filled from. Of what was due by then nobody here knows whether it was posted.
create table restores (
  restored_at timestamptz(3) primary key,
  backup_at timestamptz(3) not null
);
