-- additive, no transaction
create index concurrently if not exists metric_sources_to_look on metric_sources (look_at) where status = 'connected';
