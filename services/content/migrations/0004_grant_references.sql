-- additive
-- Why an operator granted credits (an invoice, a ticket): the same reference is granted once, whatever is repeated.
alter table credit_ledger
  add column reference text,
  add constraint credit_reference_of_a_grant check (reference is null or (reason = 'grant' and reference ~ '\S'));

create unique index credit_one_grant_per_reference on credit_ledger (reference) where reference is not null;
