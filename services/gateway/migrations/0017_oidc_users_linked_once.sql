-- additive, no transaction
-- At most one identity per user: an address that the issuer gave to somebody else does not reach its former holder.
create unique index concurrently if not exists oidc_users_linked_once on oidc_users (linked_user_id) where linked_user_id is not null;
