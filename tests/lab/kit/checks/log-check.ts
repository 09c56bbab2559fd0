/** Checks the processes' output as a log: malformed lines, requests not found, secrets. */
export type PrintedBy = { service: string; text: string };

export type LogCheck = {
  lines: number;
  /** Lines about a request or event: they have both ids. */
  linesWithRequest: number;
  requestsFound: number;
  secretsSearched: number;
  complaints: string[];
};

export type LogCheckOptions = {
  printed: readonly PrintedBy[];
  /** Requests as a client saw them, with the service that answered each. */
  requests: readonly { requestId: string; service: string }[];
  /** Searched for verbatim. */
  secrets: ReadonlySet<string>;
};

type Line = { level?: unknown; service?: unknown; time?: unknown; requestId?: unknown; trace_id?: unknown };

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
/**
 * Formats of our keys, sessions and webhook secrets, and of the platform's tokens, including those that are
 * not listed.
 */
const secretForms = [
  /\bsvc_live_[0-9A-Za-z]{40,}/,
  /\bsess_[\w-]{30,}/,
  /\bwhsec_[\w+/=]{20,}/,
  /\b(?:act|rft|clt)\.[\w-]{16,}/,
];

export function checkLogs({ printed, requests, secrets }: LogCheckOptions): LogCheck {
  const complaints: string[] = [];
  const found = new Map<string, Set<string>>();
  let lines = 0;
  let linesWithRequest = 0;
  for (const { service, text } of printed) {
    complaints.push(...findSecrets(service, text, secrets));
    const inService = found.get(service) ?? new Set<string>();
    found.set(service, inService);
    for (const line of text.split('\n')) {
      if (line === '') continue;
      lines += 1;
      const fields = parse(line);
      const problem = fields ? problemOf(fields, service) : 'is not JSON';
      if (problem) complaints.push(`${service}: ${problem}: ${line.slice(0, 200)}`);
      if (typeof fields?.requestId !== 'string') continue;
      linesWithRequest += 1;
      inService.add(fields.requestId);
    }
  }
  let requestsFound = 0;
  for (const { requestId, service } of requests) {
    const missing = [...new Set(['gateway', service])].filter(name => !found.get(name)?.has(requestId));
    if (missing.length === 0) requestsFound += 1;
    else complaints.push(`${requestId} is not in the log of ${missing.join(' and ')}`);
  }
  return { lines, linesWithRequest, requestsFound, secretsSearched: secrets.size, complaints };
}

function findSecrets(service: string, text: string, secrets: ReadonlySet<string>): string[] {
  // Not the secret itself: this output is printed too.
  const verbatim = [...secrets].filter(secret => text.includes(secret));
  return [
    ...verbatim.map(secret => `${service}: a secret of ${secret.length} characters is in the log`),
    ...secretForms.filter(form => form.test(text)).map(form => `${service}: something like ${form} is there`),
  ];
}

function parse(line: string): Line | null {
  try {
    const fields: unknown = JSON.parse(line);
    return typeof fields === 'object' && fields !== null ? fields : null;
  } catch {
    return null;
  }
}

function problemOf({ level, service, time, requestId, trace_id: traceId }: Line, printedBy: string) {
  if (typeof level !== 'string' || !levels.has(level)) return 'has no level';
  if (service !== printedBy) return 'does not name its service';
  if (typeof time !== 'string' || Number.isNaN(Date.parse(time))) return 'has no time';
  if ((requestId === undefined) !== (traceId === undefined)) return 'has one of requestId and trace_id';
  if (traceId !== undefined && !/^[0-9a-f]{32}$/.test(String(traceId))) return 'has no valid trace_id';
  return null;
}
