/**
 * Judges the limits from the history alone. The time of a decision is known only to be between the request's
 * sending and its answer, so both judgements count only certain cases: too many were let through when they
 * certainly fell within 60 s, and one was wrongly refused when certainly too few can have counted.
 */
/** The window that a request counts against: `ip:<address>`, `key:<name>` or `content:<name>`. */
export type WindowName = string;
export type WindowKind = 'ip' | 'key' | 'content';

/** A request and its answer, in milliseconds of the recorder's monotonic clock. */
export type Counted = {
  windows: WindowName[];
  /** Just before the first byte was sent. */
  sentMs: number;
  /** Just after the last byte arrived. */
  doneMs: number;
  /** 0: no answer. */
  status: number;
};

const windowMs = 60_000;

export type Limits = Record<WindowKind, number>;

export type WindowFindings = {
  windows: number;
  admitted: number;
  refused: number;
  /** Requests that were let through beyond the limit of a 60 s window. */
  over: number;
  /** Requests that were refused although none of their windows can have been full. */
  under: number;
  /** The most requests certainly let through within 60 s, over all windows of the kind. */
  most: Record<WindowKind, number>;
  /** Windows that were full a second time: places were taken again as they became free. */
  refilled: number;
};

/** How far a request counted against a window. */
type Weight = 'counted' | 'perhaps' | 'not';

export function checkWindows(asked: readonly Counted[], limits: Limits): WindowFindings {
  const byWindow = groupByWindow(asked);
  const findings: WindowFindings = {
    windows: byWindow.size,
    admitted: asked.filter(one => isAdmitted(one)).length,
    refused: asked.filter(one => one.status === 429).length,
    over: 0,
    under: 0,
    most: { ip: 0, key: 0, content: 0 },
    refilled: 0,
  };
  for (const [name, members] of byWindow) {
    const kind = kindOf(name);
    const counted = members.filter(one => weightOf(one, kind) === 'counted');
    const most = mostWithinWindow(counted);
    findings.most[kind] = Math.max(findings.most[kind], most);
    findings.over += Math.max(0, most - limits[kind]);
    if (counted.length > limits[kind]) findings.refilled += 1;
  }
  for (const one of asked)
    if (one.status === 429 && !canBeRefused(one, byWindow, limits)) findings.under += 1;
  return findings;
}

function groupByWindow(asked: readonly Counted[]): Map<WindowName, Counted[]> {
  const groups = new Map<WindowName, Counted[]>();
  for (const one of asked) {
    for (const name of one.windows) {
      const group = groups.get(name);
      if (group) group.push(one);
      else groups.set(name, [one]);
    }
  }
  for (const group of groups.values()) group.sort((a, b) => a.sentMs - b.sentMs);
  return groups;
}

function isAdmitted({ status }: Counted): boolean {
  return status !== 429 && status !== 0 && status < 500;
}

/**
 * A refusal counts nowhere, with one exception: one by the key's window has first counted for the address.
 * Where both may have refused, it may count there. A 401 counts for the address alone, which is the only
 * window it names.
 */
function weightOf(one: Counted, kind: WindowKind): Weight {
  if (one.status === 429) return kind === 'ip' && one.windows.length > 1 ? 'perhaps' : 'not';
  return isAdmitted(one) ? 'counted' : 'perhaps';
}

/** The most requests sent and answered within less than 60 s. @param counted in order of sending */
function mostWithinWindow(counted: readonly Counted[]): number {
  let most = 0;
  for (const [index, first] of counted.entries()) {
    const endMs = first.sentMs + windowMs;
    let within = 0;
    for (let at = index; at < counted.length; at += 1) {
      const one = counted[at] as Counted;
      if (one.sentMs >= endMs) break;
      if (one.doneMs < endMs) within += 1;
    }
    most = Math.max(most, within);
  }
  return most;
}

function canBeRefused(one: Counted, byWindow: Map<WindowName, Counted[]>, limits: Limits): boolean {
  return one.windows.some(name => {
    const kind = kindOf(name);
    let possible = 0;
    for (const other of byWindow.get(name) ?? []) {
      if (other.sentMs >= one.doneMs) break;
      if (other === one || other.doneMs < one.sentMs - windowMs) continue;
      if (weightOf(other, kind) !== 'not') possible += 1;
    }
    return possible >= limits[kind];
  });
}

function kindOf(name: WindowName): WindowKind {
  return name.slice(0, name.indexOf(':')) as WindowKind;
}
