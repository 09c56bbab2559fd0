/** Addresses of the console, which is beside the API. */
const pages = {
  home: '',
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

export function consoleUrl(baseUrl: string, page: ConsolePage): string {
  return `${productUrl(baseUrl)}/console${pages[page]}`;
}

/** The queue, beginning with this deck. */
export function approveUrl(baseUrl: string, contentId: string): string {
  return `${consoleUrl(baseUrl, 'approve')}?deck=${encodeURIComponent(contentId)}`;
}

/** Where a person with a session calls the same routes. */
export function sessionBaseUrl(baseUrl: string): string {
  return `${productUrl(baseUrl)}/console/api/v1`;
}
