export const channels = {
  mails: 'gateway_mails',
  pushes: 'gateway_pushes',
  /** A service must be called about a deletion. */
  deletions: 'gateway_deletions',
} as const;
