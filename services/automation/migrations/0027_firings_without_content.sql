-- additive, no transaction
-- Firings without content, oldest first: very few, among any number that wait for a person.
create index concurrently if not exists firings_without_content on firings (created_at) where status = 'fired';
