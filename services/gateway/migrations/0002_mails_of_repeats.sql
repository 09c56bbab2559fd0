-- additive
alter table mails
  drop constraint mails_kind_known,
  -- Every row fits the narrower one before.
  add constraint mails_kind_known check (kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'decks_waiting', 'nothing_new')) not valid;
