-- additive
-- Null: the person signs in at the OIDC issuer, or sets a password with a mailed link.
alter table users alter column password_hash drop not null;
