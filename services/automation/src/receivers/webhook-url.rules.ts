import { placeOf } from '@hookline/shared/http/target';

/** @returns the host whose rate limits deliveries to this URL; null for an allowed target */
export function findBoundedHost(text: string, allowedTargets: ReadonlySet<string>): string | null {
  const url = URL.parse(text);
  if (!url) return null;
  const { host, isExempt } = placeOf(url, allowedTargets);
  return isExempt ? null : host;
}
