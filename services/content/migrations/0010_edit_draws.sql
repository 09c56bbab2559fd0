-- additive
-- When an account's edits drew slides: at most the stamps of the last minute, newest last.
create table edit_draws (
  account_id text primary key,
  stamps timestamptz(3)[] not null
);
