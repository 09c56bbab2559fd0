export const attemptLifetimeMs = 10 * 60_000;

export const startPath = '/console/oidc/start';
export const callbackPath = '/console/oidc/callback';
/** The page of the console that a sign-in leads to when none is asked for. */
export const firstPage = '/console';

/**
 * True for a path of a page of the console, with its query, of at most 1,000 characters. Nothing that a
 * browser reads as another host, and nothing that the gateway answers itself.
 */
export function isConsolePage(path: string): boolean {
  if (path.length > 1_000 || !/^\/console(?:[/?][!-~]*)?$/.test(path) || path.includes('\\')) return false;
  // A browser resolves dots and encoded dots.
  const { origin, pathname } = new URL(path, 'https://console.invalid');
  if (origin !== 'https://console.invalid') return false;
  return /^\/console(?:\/|$)/.test(pathname) && !/^\/console\/(?:api|oidc|enter)(?:\/|$)/.test(pathname);
}
