import type { Window } from './queries.ts';

export type UsageRow = Window & { name: string };

/** Every window of an answer, wherever it is nested: what a later server adds is shown too. */
export function usageRows(data: unknown, path: readonly string[] = []): UsageRow[] {
  if (typeof data !== 'object' || data === null) return [];
  if (Array.isArray(data))
    return data.flatMap((row, index) => usageRows(row, [...path, nameOf(row) ?? `${index}`]));
  const { limit, used, resetsAt } = data as Partial<Window>;
  if (typeof limit === 'number' && typeof used === 'number') {
    return [{ name: path.at(-1) ?? '', limit, used, resetsAt: resetsAt ?? null }];
  }
  return Object.entries(data).flatMap(([name, value]) => usageRows(value, [...path, name]));
}

function nameOf(row: unknown): string | undefined {
  const { name, window, id } = (row ?? {}) as Record<string, unknown>;
  return [name, window, id].find(given => typeof given === 'string') as string | undefined;
}
