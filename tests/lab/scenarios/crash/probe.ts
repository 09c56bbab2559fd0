/**
 * Watches a process from its edges (statements, files, bus, HTTP) and kills it with SIGKILL at one of them.
 * Nothing in the product knows about it: the Postgres client, `node:fs/promises` and the bus port are
 * wrapped, HTTP is observed through Node's diagnostics channels.
 */
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs/promises';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { Bus } from '@hookline/shared/bus';
import { currentContext } from '@hookline/shared/kernel';
import pg from 'pg';

/**
 * `sent`: the other side has it, its answer has not arrived. For effects that cannot be undone: a commit, a
 * publish, a hop.
 */
type Moment = 'before' | 'sent' | 'after';

const seen: string[] = [];
const counts = new Map<string, number>();
/** Repeated background statements: single occurrences cannot be distinguished, and need not be. */
let polled = new Set<string>();
let mode: 'off' | 'idle' | 'watching' | 'running' = 'off';
let armed: string | null = null;

/** Observes the process's background activity for a while. */
export function listenToIdle(): void {
  mode = 'idle';
}

/** Counts points from the next start of a journey on; at `point` the process is killed. */
export function watch(point: string | null): void {
  armed = point;
  counts.clear();
  seen.length = 0;
  mode = 'watching';
}

export function pointsSeen(): string[] {
  return [...new Set(seen)];
}

export function pollsSeen(): string[] {
  return [...polled];
}

export function knowPolls(names: readonly string[]): void {
  polled = new Set(names);
}

function beginJourney(): void {
  if (mode === 'watching') mode = 'running';
}

/** Names the next event. Null: nothing is watched now. */
function enter(what: string): string | null {
  if (mode === 'idle') polled.add(what);
  if (mode !== 'running') return null;
  if (polled.has(what)) return what;
  const name = `${currentContext() ? 'request' : 'background'}: ${what}`;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count === 1 ? name : `${name} #${count}`;
}

function reach(name: string | null, moment: Moment): void {
  if (name === null || mode !== 'running') return;
  const point = `${moment} ${name}`;
  seen.push(point);
  if (point === armed) process.kill(process.pid, 'SIGKILL');
}

async function around<T>(what: string, work: () => Promise<T>, canBeHalfDone = false): Promise<T> {
  const name = enter(what);
  reach(name, 'before');
  const working = work();
  if (canBeHalfDone) reach(name, 'sent');
  const result = await working;
  reach(name, 'after');
  return result;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/**
 * Every statement except those of the bus, whose publish is one hop (its own contract suite looks inside).
 */
export function watchPostgres(): void {
  const original = pg.Client.prototype.query as unknown as Query;
  const inTransaction = new WeakSet<pg.Client>();
  const watched: Query = function (...args) {
    if (this.user === 'bus') return original.apply(this, args);
    const label = labelOf(args[0]);
    const isAlone = label === 'commit' || !inTransaction.has(this);
    if (label === 'begin') inTransaction.add(this);
    if (label === 'commit' || label === 'rollback') inTransaction.delete(this);
    const name = enter(label);
    reach(name, 'before');
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result: unknown) => {
        reach(name, 'after');
        callback(error, result);
      };
    }
    const returned = original.apply(this, args);
    // An autocommit statement, or the commit: its changes are durable as soon as Postgres has it.
    if (isAlone && !/^(begin|select|listen)\b/.test(label)) reach(name, 'sent');
    if (!(returned instanceof Promise)) return returned;
    return returned.then(result => {
      reach(name, 'after');
      return result;
    });
  };
  (pg.Client.prototype as { query: unknown }).query = watched;
}

function labelOf(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text;
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 72);
}

/** Files of slide images: created, flushed, renamed into place. */
export async function watchFiles(): Promise<void> {
  const { open, rename } = fs;
  const probe = await open(import.meta.filename);
  const handle = Object.getPrototypeOf(probe) as { sync(this: unknown): Promise<void> };
  await probe.close();
  const { sync } = handle;
  // Folders are flushed too, one or more per image depending on whether the folder is new: their number is
  // not the journey's.
  const images = new WeakSet<object>();
  handle.sync = function (this: object) {
    return images.has(this) ? around('flush an image', () => sync.call(this)) : sync.call(this);
  };
  async function create(...args: Parameters<typeof open>) {
    const file = await open(...args);
    images.add(file);
    return file;
  }
  const watchedOpen = (...args: Parameters<typeof open>) =>
    args[1] === 'wx' ? around('create an image', () => create(...args)) : open(...args);
  Object.assign(fs, {
    open: watchedOpen,
    rename: (...args: Parameters<typeof rename>) => around('place an image', () => rename(...args)),
  });
  syncBuiltinESMExports();
}

export function watchBus(bus: Bus): Bus {
  return {
    ...bus,
    publish: batch => around('publish to the bus', () => bus.publish(batch), true),
    subscribe: subscription =>
      bus.subscribe({
        ...subscription,
        handler: async message => {
          if (message.headers.ce_type === 'automation.fired') beginJourney();
          await around('handle a message of the bus', () => subscription.handler(message));
        },
      }),
  };
}

type ServerMessage = { request: IncomingMessage };
type ClientMessage = { request: { path: string; method: string } };

/** The hops of one POST: into this process, out of it to the next service and back, and the answer. */
export function watchHttp(path: string): void {
  const isOurs = (request: IncomingMessage): boolean => request.method === 'POST' && request.url === path;
  const pass = (what: string): void => reach(enter(what), 'after');
  subscribe('http.server.request.start', message => {
    if (!isOurs((message as ServerMessage).request)) return;
    beginJourney();
    pass('the request came in');
  });
  subscribe('http.server.response.finish', message => {
    if (isOurs((message as ServerMessage).request)) pass('the answer went out');
  });
  const { end } = ServerResponse.prototype;
  ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    if (isOurs(this.req)) reach(enter('answer'), 'before');
    return (end as (...given: unknown[]) => ServerResponse).apply(this, args);
  } as typeof end;
  for (const [channel, what] of [
    ['undici:request:create', 'a call to the next service was made'],
    ['undici:client:sendHeaders', 'its head was sent'],
    ['undici:request:bodySent', 'its body was sent'],
    ['undici:request:headers', 'the head of its answer came'],
    ['undici:request:trailers', 'its whole answer came'],
  ] as const) {
    subscribe(channel, message => {
      const { request } = message as ClientMessage;
      if (request.method === 'POST' && path.endsWith(request.path)) pass(what);
    });
  }
}
