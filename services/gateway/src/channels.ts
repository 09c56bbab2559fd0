/** Notification channels of the schema, by meaning. */
export const channels = {
  /** A mail waits to be sent. */
  mails: 'gateway_mails',
} as const;
