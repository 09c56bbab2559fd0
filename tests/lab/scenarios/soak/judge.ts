/** Limits of growth over hours. Pure: takes the samples of a run, returns the violations. */

export type Sample = {
  /** Since the load began. */
  atMs: number;
  processes: Record<string, { rssBytes: number; descriptors: number }>;
  /** Connections to the product's database by role. */
  connections: Record<string, number>;
};

export type Growth = {
  process: string;
  /** Slope of the line that best fits the second half of the run. */
  rssBytesPer10Min: number;
  rssBytes: number;
};

export type Limits = {
  rssBytesPer10Min: number;
  /** Difference between the highest of the first and of the last quarter; a pool varies by a few. */
  descriptors: number;
  connections: number;
};

const tenMinutesMs = 600_000;
const megabyte = 1_000_000;

/**
 * The goal of two hours is 1 MB in 10 minutes (G-O8). Garbage collection moves the values by some megabytes,
 * which tilts the line of a short run, so there the limit is wider: 6 MB over the half that is examined.
 */
export function limitsOf(runMs: number): Limits {
  const halfMs = runMs / 2;
  return {
    rssBytesPer10Min: Math.max(megabyte, (6 * megabyte * tenMinutesMs) / halfMs),
    descriptors: 10,
    connections: 4,
  };
}

/** Growth of each process over the second half of the run, when caches are full and code is compiled. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const late = samples.slice(Math.floor(samples.length / 2));
  return Object.keys(samples.at(-1)?.processes ?? {}).map(process => {
    const points = late.map(({ atMs, processes }) => ({ x: atMs, y: processes[process]?.rssBytes ?? 0 }));
    return {
      process,
      rssBytesPer10Min: slopeOf(points) * tenMinutesMs,
      rssBytes: points.at(-1)?.y ?? 0,
    };
  });
}

/** @returns the values that grew beyond the limits, one line each */
export function findGrowth(samples: readonly Sample[], limits: Limits): string[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)];
  const most = (part: readonly Sample[], of: (sample: Sample) => number): number =>
    Math.max(0, ...part.map(of));
  const grown = (of: (sample: Sample) => number): number => most(last, of) - most(first, of);
  const processes = Object.keys(samples.at(-1)?.processes ?? {});
  const roles = Object.keys(samples.at(-1)?.connections ?? {});
  return [
    ...growthOf(samples)
      .filter(({ rssBytesPer10Min }) => rssBytesPer10Min > limits.rssBytesPer10Min)
      .map(
        ({ process, rssBytesPer10Min }) =>
          `${process} grows by ${megabytes(rssBytesPer10Min)} MB in 10 minutes, ${megabytes(limits.rssBytesPer10Min)} are allowed`,
      ),
    ...processes
      .map(process => ({ process, more: grown(sample => sample.processes[process]?.descriptors ?? 0) }))
      .filter(({ more }) => more > limits.descriptors)
      .map(({ process, more }) => `${process} has ${more} open files and sockets more than at the start`),
    ...roles
      .map(role => ({ role, more: grown(sample => sample.connections[role] ?? 0) }))
      .filter(({ more }) => more > limits.connections)
      .map(({ role, more }) => `${role} has ${more} database connections more than at the start`),
  ];
}

export type TableSize = { name: string; bytes: number; live: number; dead: number };

/**
 * A table is clean when its dead rows are at most twice autovacuum's threshold (a fifth of the rows and 50),
 * or what a minute of the load leaves.
 */
export function findBloat(tables: readonly TableSize[], deadAlways = 5_000): string[] {
  return tables
    .filter(({ live, dead }) => dead > Math.max(deadAlways, 2 * (50 + live / 5)))
    .map(({ name, live, dead }) => `${name} has ${dead} dead rows beside ${live} live ones`);
}

/** Tables that are emptied as fast as they are filled: their size must not keep growing. */
export function findSwelling(before: readonly TableSize[], after: readonly TableSize[]): string[] {
  const queue = /\.outbox$/;
  return after
    .filter(({ name }) => queue.test(name))
    .map(({ name, bytes }) => ({ name, bytes, was: before.find(one => one.name === name)?.bytes ?? 0 }))
    .filter(({ bytes, was }) => bytes > 2 * was + 4 * megabyte)
    .map(({ name, bytes, was }) => `${name} grew from ${megabytes(was)} to ${megabytes(bytes)} MB`);
}

export function megabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1);
}

/** Least squares. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [x, y] = [mean(points.map(point => point.x)), mean(points.map(point => point.y))];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
}
