-- additive
-- TikTok tells the handle only to apps with user.info.profile, and with the options of an account that may be
-- published to.
alter table platform_accounts alter column username drop not null;
