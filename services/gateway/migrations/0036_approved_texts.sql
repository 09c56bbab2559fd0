-- additive
-- Of workspaces that are made from now on.
alter table workspaces alter column post_texts set default 'approved_only';
