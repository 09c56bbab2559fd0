-- additive, no transaction
create index concurrently if not exists workspaces_sending_asked on workspaces (sending_asked_at) where sending_asked_at is not null;
