-- contract, no transaction
drop index concurrently if exists mails_awaited;
