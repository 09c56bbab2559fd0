export const channels = {
  work: 'content_queued',
  screenshots: 'screenshots_wanted',
} as const;
