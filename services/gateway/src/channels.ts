/** Notification channels of the schema, by meaning. */
export const channels = {
  /** A mail waits to be sent. */
  mails: 'gateway_mails',
  /** A service must be called about a deletion. */
  deletions: 'gateway_deletions',
} as const;
