import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isOwnFault, isolateFaults } from './isolate.ts';

function refusing(...bad: number[]) {
  const attempts: number[][] = [];
  const work = async (items: readonly number[]): Promise<readonly number[]> => {
    attempts.push([...items]);
    const found = items.find(item => bad.includes(item));
    if (found !== undefined) throw new RangeError(`${found} is refused`);
    return items;
  };
  return { attempts, work };
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('isolateFaults', () => {
  it('does everything at once when nothing fails', async () => {
    const { attempts, work } = refusing();
    expect(await isolateFaults(upTo(200), work)).toEqual({ results: [upTo(200)], faults: [] });
    expect(attempts).toHaveLength(1);
  });

  it('finds the bad ones, does all others in order, in few attempts', async () => {
    const { attempts, work } = refusing(3, 150);
    const { results, faults } = await isolateFaults(upTo(200), work);
    expect(faults.map(({ item }) => item)).toEqual([3, 150]);
    expect(results.flat()).toEqual(upTo(200).filter(item => item !== 3 && item !== 150));
    expect(attempts.length).toBeLessThan(40);
  });

  it('ends with an error that no item caused', async () => {
    const work = async (items: readonly number[]): Promise<void> => {
      if (items.length < 3) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
      throw new TypeError('bad');
    };
    await expect(isolateFaults(upTo(8), work)).rejects.toThrow('gone');
  });

  it('does nothing for nothing', async () => {
    const { attempts, work } = refusing();
    expect(await isolateFaults([], work)).toEqual({ results: [], faults: [] });
    expect(attempts).toHaveLength(0);
  });
});

describe('isOwnFault', () => {
  it.each(['57014', '57P01', '53100', '40001', '40P01', '42P01', '25P03', '08006', '55P03'])(
    'is false for %s',
    code => expect(isOwnFault(databaseError(code))).toBe(false),
  );
  it.each(['22P05', '22001', '23514'])('is true for %s', code =>
    expect(isOwnFault(databaseError(code))).toBe(true),
  );
  it('is false for a query that timed out on this side', () =>
    expect(isOwnFault(new Error('Query read timeout'))).toBe(false));
});

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code });
}
