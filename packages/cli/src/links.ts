/** Addresses of the console, which is beside the API. */
const pages = {
  home: '/approve',
  approve: '/approve',
  calendar: '/calendar',
  posts: '/posts',
  automations: '/automations',
  apps: '/apps',
  accounts: '/accounts',
  webhooks: '/webhooks',
  events: '/events',
  keys: '/keys',
  credits: '/credits',
  usage: '/usage',
  numbers: '/numbers',
  members: '/members',
  settings: '/settings',
} as const;
export type ConsolePage = keyof typeof pages;
export const consolePages = Object.keys(pages) as ConsolePage[];

/** @returns `https://example.com` for `https://example.com/api/v1` */
export function productUrl(baseUrl: string): string {
  return baseUrl.replace(/\/api\/v1$/, '');
}

export function pageUrl(console: string, page: ConsolePage): string {
  return console + pages[page];
}

/** The queue, beginning with this deck. */
export function approveUrl(console: string, contentId: string): string {
  return `${pageUrl(console, 'approve')}?deck=${encodeURIComponent(contentId)}`;
}

/** Where a person with a session calls the same routes. */
export function sessionBaseUrl(baseUrl: string): string {
  return `${productUrl(baseUrl)}/console/api/v1`;
}
