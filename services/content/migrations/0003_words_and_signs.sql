-- additive, no transaction
create index concurrently if not exists contents_words_and_signs on contents using gin (
  (to_tsvector('simple', account_id) || jsonb_to_tsvector('simple', regexp_replace(translate(coalesce(result, '{}')::text, './@+-', '     '), '[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]', ' \& ', 'g')::jsonb, '["string"]')));
