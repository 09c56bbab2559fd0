-- additive
-- Who asks the platform for new tokens of the account, and until when others leave it alone. Null: nobody.
alter table platform_accounts add column refresh_holder text, add column refresh_lease_until timestamptz;
