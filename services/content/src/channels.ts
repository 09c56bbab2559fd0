/** The notification channels of this schema, by meaning. */
export const channels = {
  /** A content was queued for generation. */
  work: 'content_queued',
  /** Screenshots of an app are to be fetched. */
  screenshots: 'screenshots_wanted',
} as const;
