export const channels = {
  /** A post was registered or a source connected. */
  work: 'analytics_work',
} as const;
