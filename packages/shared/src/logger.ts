import { type DestinationStream, pino } from 'pino';
import { currentContext, currentTraceparent, traceIdOf } from './context.ts';

export type Logger = pino.Logger;

// Names under which a secret could slip into a log line, at the top or one level down.
const secretFields = [
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
];

const secretHeaders = ['authorization', 'cookie', 'set-cookie', 'x-hookline-caller'];

/** `service` absent: each child names its own. */
export type LoggerOptions = { service?: string; level?: string; destination?: DestinationStream };

/** JSON lines with level, time, service, and, inside a request or event, `requestId` and `trace_id`. */
export function createLogger({ service, level = 'info', destination }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: service === undefined ? null : { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    redact: {
      paths: [
        ...secretFields.flatMap(field => [field, `*.${field}`]),
        ...secretHeaders.flatMap(name => [`headers["${name}"]`, `*.headers["${name}"]`]),
      ],
      censor: '[redacted]',
    },
    mixin() {
      const context = currentContext();
      if (!context) return {};
      return { requestId: context.requestId, trace_id: traceIdOf(currentTraceparent()) };
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A log file that is appended to, written in the background; at most 1 s of lines is lost by a kill. */
export function openLogFile(path: string): DestinationStream {
  const file = pino.destination({ dest: path, append: true, sync: false, minLength: 4_096, mkdir: true });
  const timer = setInterval(() => file.flush(), 1_000);
  timer.unref();
  process.on('exit', () => file.flushSync());
  return file;
}
