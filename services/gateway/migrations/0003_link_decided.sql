-- additive
-- Members are notified, by mail and push, of decisions made with their review links.
-- Not validated: the rows that there are satisfy the constraint before it, which allowed less.
alter table mails drop constraint mails_kind_known, add constraint mails_kind_known
  check (kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'decks_waiting', 'nothing_new', 'post_due', 'post_failed', 'account_reconnect', 'credits_low', 'week', 'sign_in_changed', 'link_decided')) not valid;

alter table members alter column push_kinds
  set default '{decks_waiting,link_decided,post_due,post_failed,account_reconnect}';
update members set push_kinds = push_kinds || '{link_decided}';
