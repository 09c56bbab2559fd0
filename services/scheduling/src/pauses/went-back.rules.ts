export type Position = {
  /** Some servers report none. */
  systemId: string | null;
  /** Each promotion of a standby and each point-in-time recovery increases it by one. */
  timeline: number | null;
  /** The write-ahead log has this position in bytes: decimal text, since it has 64 bits. */
  lsn: string | null;
};

export type Standing = Position & {
  /** An operator settled at this time that the database went back; 0: never. */
  settledAtMs: number;
  /** So many remembered attempts are missing from the database. */
  missing: number;
  /** A crash cannot lose this part of the log. */
  flushed: string | null;
};

/** Traces of an acknowledged commit can be missing only from a database that went back. */
export type Memory = Position & {
  settledAtMs: number;
  attempts: readonly { id: string; atMs: number }[];
};

export type Verdict =
  | { kind: 'same' }
  /** An operator has settled it since: the memory no longer counts. */
  | { kind: 'settled' }
  /** Another server or timeline has everything remembered here. */
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
 * A crash does not shorten the log below what was flushed. Another timeline may be shorter: a standby need
 * not have what nobody was told to be committed.
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

// One attempt represents its whole batch. A few batches of one process may commit in a different order than
// they began.
const rememberedMax = 8;

/** Commits of two batches are acknowledged in any order, so the later position stays. */
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

export function listCalls(memory: Memory | null, sinceMs: number): string[] {
  return (memory?.attempts ?? []).filter(({ atMs }) => atMs > sinceMs).map(({ id }) => id);
}
