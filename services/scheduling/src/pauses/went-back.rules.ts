/** Compares a process's memory with the current database, to detect one that went back in time. */

export type Position = {
  /** Null if the server does not report it. */
  systemId: string | null;
  /** Increases by one at each promotion of a standby and each point-in-time recovery. */
  timeline: number | null;
  /** Write-ahead log position in bytes, decimal text since it has 64 bits. */
  lsn: string | null;
};

export type Standing = Position & {
  /** The last time an operator settled that the database went back; 0: never. */
  settledAtMs: number;
  /** Number of remembered attempts that are missing from the database. */
  missing: number;
  /** The part of the log that a crash cannot lose, as `lsn`. */
  flushed: string | null;
};

/** Traces of an acknowledged commit. They can be missing only from a database that went back. */
export type Memory = Position & {
  settledAtMs: number;
  attempts: readonly { id: string; atMs: number }[];
};

export type Verdict =
  | { kind: 'same' }
  /** An operator has settled it since: the memory no longer counts. */
  | { kind: 'settled' }
  /** Another server or timeline that has everything remembered here. */
  | { kind: 'moved' }
  | { kind: 'went_back'; why: string };

/** @param before what was seen last */
export function judge(memory: Memory | null, seen: Standing, before: Standing | null = null): Verdict {
  const verdict = compareWithMemory(memory, seen);
  return verdict.kind === 'same' && isShortened(before, seen)
    ? { kind: 'went_back', why: `its log ends at ${seen.lsn}, and ${before?.flushed} was written` }
    : verdict;
}

function compareWithMemory(memory: Memory | null, seen: Standing): Verdict {
  if (memory === null) return { kind: 'same' };
  if (seen.settledAtMs > memory.settledAtMs) return { kind: 'settled' };
  if (seen.settledAtMs < memory.settledAtMs)
    return { kind: 'went_back', why: 'an earlier settlement of the same kind is missing' };
  if (seen.missing > 0)
    return { kind: 'went_back', why: `${seen.missing} of the calls that were made last are missing` };
  if (!isKnown(memory) || !isKnown(seen)) return { kind: 'same' };
  // Positions of two clusters cannot be compared.
  if (seen.systemId !== memory.systemId) return { kind: 'moved' };
  if (BigInt(seen.lsn) < BigInt(memory.lsn))
    return { kind: 'went_back', why: `its log ends at ${seen.lsn}, and ${memory.lsn} was committed` };
  if (seen.timeline < memory.timeline)
    return { kind: 'went_back', why: `it is on timeline ${seen.timeline} after ${memory.timeline}` };
  return { kind: seen.timeline === memory.timeline ? 'same' : 'moved' };
}

function isKnown<P extends Position>(
  position: P,
): position is P & { systemId: string; timeline: number; lsn: string } {
  return position.systemId !== null && position.timeline !== null && position.lsn !== null;
}

/**
 * True if the log ends before what was flushed of it: a crash does not shorten it. Another timeline may, because
 * a standby need not have what nobody was told to be committed.
 */
export function isShortened(before: Standing | null, seen: Standing): boolean {
  return (
    before?.flushed != null &&
    seen.lsn !== null &&
    before.systemId === seen.systemId &&
    before.timeline === seen.timeline &&
    BigInt(seen.lsn) < BigInt(before.flushed)
  );
}

// One attempt represents its whole batch. A few batches of one process may commit in a different order
// than they began.
const rememberedMax = 8;

/** The memory after a commit was acknowledged. Those of two batches are in any order, so the later position stays. */
export function rememberCalls(
  memory: Memory | null,
  { missing: _, flushed: __, ...place }: Standing,
  { attemptIds, atMs }: { attemptIds: readonly string[]; atMs: number },
): Memory {
  const newest = attemptIds.slice(-1).map(id => ({ id, atMs }));
  const isEarlier =
    memory?.lsn && memory.systemId === place.systemId && BigInt(place.lsn ?? 0) < BigInt(memory.lsn);
  return {
    ...(isEarlier ? memory : place),
    // A settlement that another check has noted since must not look new, which would forget this call.
    settledAtMs: Math.max(place.settledAtMs, memory?.settledAtMs ?? 0),
    attempts: [...(memory?.attempts ?? []), ...newest].slice(-rememberedMax),
  };
}

/** The ids of the remembered calls that are younger than `sinceMs`. */
export function listCalls(memory: Memory | null, sinceMs: number): string[] {
  return (memory?.attempts ?? []).filter(({ atMs }) => atMs > sinceMs).map(({ id }) => id);
}
