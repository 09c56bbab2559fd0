import { useRef, useState } from 'react';
import { isApiError, newKey } from '../api.ts';
import { inZone } from './TimeInZone.tsx';

/** @returns what the server said about this one write, or null where it concerns the others too */
export function refusalOf(error: unknown): string | null {
  return isApiError(error) && [400, 403, 404, 409, 422].includes(error.status) ? inZone(error.message) : null;
}

/**
 * Writes one after the other. A refused one is named and skipped; what concerns the others too, such as a lost
 * connection, stops, and running again goes on from there with the same Idempotency-Keys.
 */
export function useOneByOne<Item extends { id: string }>(
  items: readonly Item[],
  send: (item: Item, key: string) => Promise<unknown>,
  refusal: (error: unknown, item: Item) => string | null = refusalOf,
) {
  const keys = useRef(new Map<string, string>());
  const [done, setDone] = useState<number | null>(null);
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [error, setError] = useState<unknown>(null);
  const isFinished = done === items.length;

  /** @returns number of items that were refused, or null if it stopped */
  const run = async (): Promise<number | null> => {
    setError(null);
    let count = done ?? 0;
    setDone(count);
    const reasons = new Map(refused);
    for (const item of items.slice(count)) {
      const key = keys.current.get(item.id) ?? newKey();
      keys.current.set(item.id, key);
      try {
        await send(item, key);
      } catch (failure) {
        const reason = refusal(failure, item);
        if (reason === null) {
          setError(failure);
          return null;
        }
        setRefused(new Map(reasons.set(item.id, reason)));
      }
      count += 1;
      setDone(count);
    }
    return reasons.size;
  };
  return { run, done, refused, error, isFinished, isRunning: done !== null && error === null && !isFinished };
}
