import { hourMs } from '@hookline/shared/kernel/durations';

/** YouTube's quotas run from midnight to midnight Pacific time. */
let pacific: Intl.DateTimeFormat | undefined;

/** `YYYY-MM-DD` */
export function pacificDay(at: Date): string {
  // Made with the first use: it loads the time zones, 17 ms of a start.
  pacific ??= new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });
  return pacific.format(at);
}

/** The first instant of the next Pacific day. Found by bisection, because days have 23 to 25 hours. */
export function nextPacificMidnight(now: Date): Date {
  const today = pacificDay(now);
  let before = now.getTime();
  let after = before + 25 * hourMs;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (pacificDay(new Date(middle)) === today) before = middle;
    else after = middle;
  }
  return new Date(after);
}
