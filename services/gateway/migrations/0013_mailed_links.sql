-- additive
-- True: the link was sent to the address and nowhere else, so whoever has it has the mailbox. Links of the version
-- before count as shown.
alter table one_time_links add column mailed boolean not null default false;
