-- additive
-- Mails with invitations of the last day, which outlive the invitations. The recipient is the SHA-256 of the address.
create table invitation_mails (
  id bigint generated always as identity primary key,
  recipient_hash bytea not null,
  account_id text not null,
  sent_at timestamptz(3) not null
);

create index invitation_mails_of_recipient on invitation_mails (recipient_hash, sent_at);
create index invitation_mails_of_account on invitation_mails (account_id, sent_at);
create index invitation_mails_oldest on invitation_mails (sent_at);
