-- additive
-- When the person was last mailed that sign-ins are slowed down; null: never.
alter table users add column slowed_mail_at timestamptz(3);
