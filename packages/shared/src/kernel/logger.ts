import { existsSync, openSync, renameSync, statSync, write, writeSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import { currentContext, currentTraceparent, traceIdOf } from './context.ts';
import { type Logger, rememberChild } from './log-level.ts';

export type { Logger };

// Field names under which a secret could reach a log line, at the top or one level down.
const secretFields = new Set([
  'authorization',
  'key',
  'apiKey',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  'password',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
]);

const secretHeaders = new Set([...secretFields, 'set-cookie', 'x-hookline-caller']);

// Other fields of an error hold values of callers: `detail` of Postgres, `command` of Redis.
const errorFields = [
  ...['type', 'message', 'stack', 'code', 'status', 'statusCode', 'responseCode', 'severity'],
  ...['schema', 'table', 'column', 'constraint', 'routine', 'syscall', 'address', 'port'],
];

const censor = '[redacted]';
const noContext = {};
// Longest time that a line waits to be written with others, and largest number of waiting bytes.
const flushAfterMs = 100;
const blockBytes = 16_384;
const heldBytesMax = 16 * 1024 * 1024;
const logBytesMax = 10_000_000;

/** `service` absent: each child names its own. */
export type LoggerOptions = { service?: string; level?: string; destination?: DestinationStream };

/**
 * JSON lines with level, time, service, and, inside a request or event, `requestId` and `trace_id`. Without a
 * destination they go to standard output.
 */
export function createLogger({ service, level = 'info', destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: service === undefined ? null : { service },
    timestamp: timeOfLine,
    // Own code instead of pino's `redact`, whose wildcards cost 35 to 60 µs a line; this costs less than 1.
    formatters: { level: label => ({ level: label }), bindings: withoutSecrets, log: withoutSecrets },
    serializers: { err: describeError },
    mixin() {
      const context = currentContext();
      if (!context) return noContext;
      return { requestId: context.requestId, trace_id: traceIdOf(currentTraceparent()) };
    },
    // A line of a request has its own: its many fields are not copied.
    mixinMergeStrategy: (fields, mixed) => (mixed === noContext ? fields : Object.assign(mixed, fields)),
  };
  const root: Logger = pino(
    { ...options, onChild: child => rememberChild(root, child) },
    destination ?? openStandardOutput(),
  );
  return root;
}

/** A log file in append mode, written in the background; a kill loses at most 0.1 s of lines. */
export function openLogFile(path: string): DestinationStream {
  rotateLog(path);
  // Opened synchronously: a process that exits before an asynchronous open would crash in its own flush.
  return gatherLines(openSync(path, 'a', 0o600));
}

/** Called at a start. Keeps one previous log next to the current one. */
export function rotateLog(path: string): void {
  if (existsSync(path) && statSync(path).size > logBytesMax) renameSync(path, `${path}.1`);
}

let standardOutput: DestinationStream | undefined;

function openStandardOutput(): DestinationStream {
  standardOutput ??= gatherLines(1);
  return standardOutput;
}

/**
 * Writes lines in blocks, in the background: a write per line costs more than the line. Buffered lines are
 * written after 0.1 s, at a fatal line and when the process exits. A reader that stops reading costs memory
 * up to a limit, then lines, and so does a full disk.
 */
function gatherLines(file: number): DestinationStream & { flushSync(): void } {
  /** Blocks that wait. The first is being written while `isWriting`. */
  const held: Buffer[] = [];
  let heldBytes = 0;
  let isWriting = false;
  // Lines are copied out of the heap at once: kept as ropes they cost the garbage collector more than
  // creating them.
  const block = Buffer.allocUnsafe(blockBytes);
  let used = 0;
  let isTimed = false;

  function hold(bytes: Buffer): void {
    if (heldBytes + bytes.length > heldBytesMax) return;
    heldBytes += bytes.length;
    held.push(bytes);
    writeFirst();
  }

  function writeFirst(): void {
    const [first] = held;
    if (!first || isWriting) return;
    isWriting = true;
    write(file, first, (error, written) => {
      isWriting = false;
      if (error) return passOnLater();
      heldBytes -= written;
      held.splice(0, 1, ...(written < first.length ? [first.subarray(written)] : []));
      writeFirst();
    });
  }

  function passOn(): void {
    if (used > 0) hold(Buffer.from(block.subarray(0, used)));
    used = 0;
  }

  function passOnLater(): void {
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => {
      isTimed = false;
      passOn();
      writeFirst();
    }, flushAfterMs).unref();
  }

  function flushSync(): void {
    const waiting = [...held.splice(isWriting ? 1 : 0), block.subarray(0, used)];
    heldBytes = held[0]?.length ?? 0;
    used = 0;
    writeNow(file, Buffer.concat(waiting));
  }

  process.on('exit', flushSync);
  return {
    write(line) {
      // A UTF-16 unit takes at most 3 bytes.
      const bytesMax = line.length * 3;
      if (used + bytesMax > blockBytes) passOn();
      if (bytesMax > blockBytes) hold(Buffer.from(line));
      else used += block.write(line, used);
      passOnLater();
    },
    flushSync,
  };
}

/** Waits for a slow reader, as a blocking pipe does. Bytes that cannot be written are lost. */
function writeNow(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, flushAfterMs);
    }
  }
}

let second = 0;
let secondText = '';

/** Many lines share a second; formatting a time takes 0.7 µs. */
function timeOfLine(): string {
  const nowMs = Date.now();
  const ms = nowMs % 1_000;
  if (nowMs - ms !== second) {
    second = nowMs - ms;
    secondText = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
  }
  return `${secondText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`;
}

type Fields = Record<string, unknown>;

function describeError(error: Error): unknown {
  const fields: unknown = pino.stdSerializers.err(error);
  return typeof fields === 'object' && fields !== null ? allowedOf(fields as Fields) : fields;
}

function allowedOf(fields: Fields): Fields {
  const allowed = errorFields.filter(name => fields[name] !== undefined && typeof fields[name] !== 'object');
  const { aggregateErrors } = fields;
  return {
    ...Object.fromEntries(allowed.map(name => [name, fields[name]])),
    ...(Array.isArray(aggregateErrors) ? { aggregateErrors: aggregateErrors.map(allowedOf) } : {}),
  };
}

/**
 * The same fields with secrets censored at the top and one level down, headers one level deeper. Copies only
 * when needed.
 */
function withoutSecrets(fields: object): Fields {
  let safe = fields as Fields;
  for (const name of Object.keys(fields)) {
    const value = safe[name];
    const censored = secretFields.has(name) ? censor : withoutNested(name, value);
    if (censored === value) continue;
    if (safe === fields) safe = { ...fields };
    safe[name] = censored;
  }
  return safe;
}

function withoutNested(name: string, value: unknown): unknown {
  // `err` is checked after it is serialized.
  if (typeof value !== 'object' || value === null || name === 'err') return value;
  const fields = value as Fields;
  const own = censorNames(fields, name === 'headers' ? secretHeaders : secretFields);
  const headers = fields.headers;
  if (typeof headers !== 'object' || headers === null) return own;
  const safeHeaders = censorNames(headers as Fields, secretHeaders);
  return safeHeaders === headers ? own : { ...own, headers: safeHeaders };
}

function censorNames(fields: Fields, names: ReadonlySet<string>): Fields {
  let safe = fields;
  for (const name of Object.keys(fields)) {
    if (!names.has(name)) continue;
    if (safe === fields) safe = { ...fields };
    safe[name] = censor;
  }
  return safe;
}
