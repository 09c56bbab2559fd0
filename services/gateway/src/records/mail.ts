export type MailKind =
  | 'invitation'
  | 'password_reset'
  | 'email_verification'
  | 'sign_in_slowed'
  | 'decks_waiting';

/** A mail to send. Its text is made when it is sent, so that no token is stored. */
export type MailRow = {
  id: string;
  kind: MailKind;
  recipient: string;
  /**
   * The invitation; the account where content waits; for a user, the address stands in for the
   * id until the mail is sent.
   */
  subjectId: string;
  /** Attempts, this one included. */
  attempts: number;
  createdAt: Date;
};
