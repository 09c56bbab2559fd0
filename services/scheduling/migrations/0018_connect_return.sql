-- additive
-- The page of the console to which the callback leads back; null: none was asked for.
alter table connect_states add column return_to text;
