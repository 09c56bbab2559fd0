-- additive, no transaction
-- The list must be the one of the query, or no claim uses the index.
create index concurrently if not exists mails_awaited_first on mails (
  (kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'sign_in_changed', 'post_due')) desc,
  due_at, id);
