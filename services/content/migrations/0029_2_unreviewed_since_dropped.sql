-- contract
-- Each item has a mark of its own.
alter table apps drop column unreviewed_since;
alter table contents drop column app_unreviewed_since;
