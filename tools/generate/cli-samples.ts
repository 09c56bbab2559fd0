import { publicEvents } from '@hookline/shared/events';

/** One event of each public type, for `hookline trigger`. */
export function cliSamples(): string {
  return `${JSON.stringify(Object.fromEntries(publicEvents.map(({ type, example }) => [type, example])), null, 2)}\n`;
}
