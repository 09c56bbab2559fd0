-- additive
-- A workspace without a row uses the installation's model.
create table text_models (
  account_id text primary key,
  -- Null: the installation's model, of which the row keeps the last test.
  provider text,
  model text,
  base_url text,
  key_sealed text,
  -- { at, ok, milliseconds, message }
  last_test jsonb,
  updated_at timestamptz(3) not null,
  constraint text_model_is_whole check (num_nonnulls(provider, model, base_url) in (0, 3)),
  constraint text_model_key_has_provider check (key_sealed is null or provider is not null)
);
