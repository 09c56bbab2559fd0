/**
 * Formats a trace for a terminal: times relative to the request's start, each entry below the one it belongs
 * to.
 */

export type Happening = {
  /** Milliseconds since the epoch. */
  atMs: number;
  service: string;
  text: string;
  /** Duration; undefined for a moment. */
  durationMs?: number;
  /** Entries caused by it or within it. */
  inner: Happening[];
};

const indent = 2;

/** @param happenings top-level entries, in order of time */
export function layOut(happenings: readonly Happening[]): string[] {
  const sorted = byTime(happenings);
  const first = sorted[0];
  if (!first) return [];
  const lines: { time: string; service: string; text: string }[] = [];
  const add = (happening: Happening, depth: number): void => {
    const { atMs, service, text, durationMs, inner } = happening;
    lines.push({
      time: sinceText(atMs - first.atMs),
      service,
      text:
        ' '.repeat(depth * indent) +
        text +
        (durationMs === undefined ? '' : `  (${durationText(durationMs)})`),
    });
    for (const one of byTime(inner)) add(one, depth + 1);
  };
  for (const happening of sorted) add(happening, 0);
  const widest = (pick: (line: (typeof lines)[number]) => string): number =>
    Math.max(...lines.map(line => pick(line).length));
  const [timeWidth, serviceWidth] = [widest(line => line.time), widest(line => line.service)];
  return lines.map(
    ({ time, service, text }) => `${time.padStart(timeWidth)}  ${service.padEnd(serviceWidth)}  ${text}`,
  );
}

/**
 * Nests each request in the request of another service during which it was made (with a tolerance of 2 ms, as
 * clocks are read to the millisecond), and each moment in the shortest request of its service around it.
 * @returns the top-level entries
 */
export function nest(requests: readonly Happening[], moments: readonly Happening[]): Happening[] {
  const top: Happening[] = [];
  const longestFirst = [...requests].sort((a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0));
  longestFirst.forEach((request, index) => {
    const around = longestFirst
      .slice(0, index)
      .filter(other => other.service !== request.service && isWithin(request, other));
    (around.at(-1)?.inner ?? top).push(request);
  });
  for (const moment of moments) {
    const around = longestFirst.filter(other => other.service === moment.service && isWithin(moment, other));
    (around.at(-1)?.inner ?? top).push(moment);
  }
  return top;
}

const slackMs = 2;

function isWithin(inner: Happening, outer: Happening): boolean {
  const endOf = ({ atMs, durationMs = 0 }: Happening): number => atMs + durationMs;
  return inner.atMs >= outer.atMs - slackMs && endOf(inner) <= endOf(outer) + slackMs;
}

function byTime(happenings: readonly Happening[]): Happening[] {
  return [...happenings].sort((a, b) => a.atMs - b.atMs);
}

function sinceText(ms: number): string {
  return `+${durationText(ms)}`;
}

function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), seconds % 60];
  return parts.map(part => String(part).padStart(2, '0')).join(':');
}
