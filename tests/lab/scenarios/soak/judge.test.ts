import { hourMs } from '@hookline/shared/kernel/durations';
import { describe, expect, it } from 'vitest';
import { findBloat, findGrowth, findSwelling, growthOf, limitsOf, type Sample } from './judge.ts';

const limits = limitsOf(2 * hourMs);

/** Two hours, a sample every ten seconds; `at` gives the values of one process and one role. */
function run(
  at: (minute: number) => { rssMb?: number; descriptors?: number; connections?: number },
): Sample[] {
  return Array.from({ length: 720 }, (_, index) => {
    const { rssMb = 100, descriptors = 60, connections = 5 } = at(index / 6);
    return {
      atMs: index * 10_000,
      processes: { content: { rssBytes: rssMb * 1_000_000, descriptors } },
      connections: { content: connections },
    };
  });
}

describe('findGrowth', () => {
  it('is content with memory that rises at first and then goes up and down', () => {
    const samples = run(minute => ({ rssMb: Math.min(160, 80 + 4 * minute) + 8 * Math.sin(minute) }));
    expect(findGrowth(samples, limits)).toEqual([]);
  });

  it('sees 2 MB in 10 minutes through the same noise', () => {
    const samples = run(minute => ({ rssMb: 100 + minute / 5 + 8 * Math.sin(minute) }));
    expect(growthOf(samples)[0]?.rssBytesPer10Min).toBeCloseTo(2_000_000, -5);
    expect(findGrowth(samples, limits)).toEqual([
      expect.stringMatching(/^content grows by (1\.9|2\.0|2\.1) MB in 10 minutes, 1\.0 are allowed$/),
    ]);
  });

  it('sees a socket and a connection that are never closed', () => {
    const samples = run(minute => ({
      descriptors: 60 + Math.floor(minute / 6),
      connections: 5 + Math.floor(minute / 12),
    }));
    expect(findGrowth(samples, limits)).toEqual([
      'content has 15 open files and sockets more than at the start',
      'content has 7 database connections more than at the start',
    ]);
  });

  it('allows a short run more, because its line is bent by a single collection', () => {
    expect(limits.rssBytesPer10Min).toBe(1_000_000);
    expect(limitsOf(600_000).rssBytesPer10Min).toBe(12_000_000);
  });
});

describe('the database', () => {
  const table = { name: 'content.outbox', bytes: 1_000_000, live: 0, dead: 0 };

  it('may leave the dead rows that autovacuum waits for, and no more', () => {
    expect(findBloat([{ ...table, live: 100_000, dead: 40_000 }])).toEqual([]);
    expect(findBloat([{ ...table, live: 100_000, dead: 50_000 }])).toEqual([
      'content.outbox has 50000 dead rows beside 100000 live ones',
    ]);
  });

  it('may not let a table grow that is emptied', () => {
    const grown = { ...table, bytes: 9_000_000 };
    expect(findSwelling([table], [grown])).toEqual(['content.outbox grew from 1.0 to 9.0 MB']);
    expect(findSwelling([table], [{ ...grown, name: 'content.contents' }])).toEqual([]);
  });
});
