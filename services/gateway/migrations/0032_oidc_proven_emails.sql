-- additive
-- The address that the issuer last said is verified. Null for those that were stored before it was asked:
-- they count as unproven until the person's next token or sign-in. An address rather than a flag, because a
-- gateway of the version before may replace `email` alone.
alter table oidc_users add column proven_email text;
