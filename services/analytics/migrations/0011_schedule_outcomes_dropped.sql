-- contract
-- Nothing reads it.
drop table schedule_outcomes;
