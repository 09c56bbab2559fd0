-- additive
-- When the member is mailed that content waits for approval: off, instant or daily; and when the last such mail went out.
alter table members add column decks_waiting text not null default 'off';
alter table members add column decks_mailed_at timestamptz(3);

-- Mails of the new kind `decks_waiting`; their subject is the account.
alter table mails drop constraint mails_kind_known;
alter table mails add constraint mails_kind_known check (
  kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'decks_waiting')
) not valid;

-- When the same mail was last asked for, while it waited or was being sent.
alter table mails add column asked_at timestamptz(3);
