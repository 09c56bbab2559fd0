/** The channels of `notify` in this schema, by what a notification means. */
export const channels = {
  /** A content was queued for generation. */
  work: 'content_queued',
} as const;
