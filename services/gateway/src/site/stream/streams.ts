/** The event streams of this gateway's browsers: one poll a second serves all of them. */
import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Logger } from '@hookline/shared/kernel';
import type { Change } from './change.rules.ts';
import { type Position, writePosition } from './position.ts';

export type News = {
  /** False: the session has ended, or has entered another workspace. */
  isOpen: boolean;
  /** True: something after the position is no longer known. */
  isGap: boolean;
  /** The position after the changes; parts that could not be read stay as they were. */
  position: Position;
  changes: { change: Change; position: Position }[];
};

export type Asked = { sessionId: string; accountId: string; position: Position };

export type Stream = Asked & { response: ServerResponse };

export type Streams = {
  open(stream: Stream): Promise<void>;
  /**
   * Ends every stream; those that are opened afterwards end at once, so that their
   * browsers go to another gateway.
   */
  close(): Promise<void>;
  readonly size: number;
};

export type StreamsOptions = {
  findNews(asked: readonly Asked[]): Promise<News[]>;
  log: Logger;
  everyMs: number;
};

const commentEveryMs = 15_000;
/** A browser opens six connections to a host, and needs some for its requests. */
const perSessionMax = 4;
/** A fifth of the connections that a gateway takes. */
const streamsMax = 2_000;
/** Unsent bytes of a reader that has stopped reading: about 500 changes. */
const unsentMax = 64 * 1024;
/**
 * A browser comes back after this and up to as much again, so that those of a stopped
 * gateway do not come at once.
 */
const retryMs = 2_000;
/**
 * One whose place was given to another window comes back later: five windows would take it
 * from each other for ever.
 */
const retryReplacedMs = 60_000;

/** The oldest stream comes first. `onEmpty` is called when the last one is gone. */
function createOpenStreams(onEmpty: () => void) {
  const open = new Set<Stream>();

  function remove(stream: Stream): void {
    open.delete(stream);
    if (open.size === 0) onEmpty();
  }

  function end(stream: Stream): void {
    remove(stream);
    stream.response.end();
  }

  function replace(stream: Stream): void {
    write(stream, retryText(retryReplacedMs));
    end(stream);
  }

  function write(stream: Stream, text: string): void {
    if (stream.response.writableEnded || stream.response.destroyed) return;
    stream.response.write(text);
    if (stream.response.writableLength <= unsentMax) return;
    remove(stream);
    stream.response.destroy();
  }

  function report(stream: Stream, { isOpen, isGap, position, changes }: News): void {
    if (!isOpen) {
      end(stream);
      return;
    }
    // A position that was unknown until now: what changed before it is unknown too.
    const isLate = stream.position.feed === null && position.feed !== null;
    stream.position = position;
    if (isGap || isLate) write(stream, eventText('reload', position, {}));
    else for (const { change, position: at } of changes) write(stream, eventText('change', at, change));
  }

  function makeRoom(sessionId: string): void {
    const ofSession = [...open].filter(stream => stream.sessionId === sessionId);
    for (const oldest of ofSession.slice(0, Math.max(0, ofSession.length - perSessionMax + 1)))
      replace(oldest);
    if (open.size < streamsMax) return;
    // Whoever fills the places pays for the next one.
    const byWorkspace = [...Map.groupBy(open, ({ accountId }) => accountId).values()];
    const [oldest] = byWorkspace.reduce((most, own) => (own.length > most.length ? own : most));
    if (oldest) replace(oldest);
  }

  return { open, remove, end, write, report, makeRoom };
}

export function createStreams({ findNews, log, everyMs }: StreamsOptions): Streams {
  let isClosed = false;
  // Streams that open and close during a poll may not start a second series of polls.
  let isPolling = false;
  let nextPoll: NodeJS.Timeout | undefined;
  let commenting: NodeJS.Timeout | undefined;
  const { open, remove, end, write, report, makeRoom } = createOpenStreams(() => {
    clearTimeout(nextPoll);
    clearInterval(commenting);
    nextPoll = undefined;
    commenting = undefined;
  });

  async function poll(): Promise<void> {
    const asked = [...open];
    isPolling = true;
    try {
      const news = await findNews(asked);
      for (const [index, stream] of asked.entries()) {
        const one = news[index];
        if (one && open.has(stream)) report(stream, one);
      }
    } catch (error) {
      log.warn({ err: error }, 'the changes for browsers could not be read');
    }
    isPolling = false;
    nextPoll = open.size > 0 ? setTimeout(poll, everyMs) : undefined;
  }

  function keepGoing(): void {
    if (!isPolling) nextPoll ??= setTimeout(poll, everyMs);
    commenting ??= setInterval(() => {
      for (const stream of open) write(stream, ':\n\n');
    }, commentEveryMs);
  }

  return {
    async open(stream) {
      const { response } = stream;
      response.write(retryText(retryMs + randomInt(retryMs)));
      if (isClosed) {
        response.end();
        return;
      }
      response.once('close', () => remove(stream));
      const isNew = stream.position.feed === null;
      const [news] = await findNews([stream]).catch(error => {
        log.warn({ err: error }, 'the changes for browsers could not be read');
        return [];
      });
      if (response.destroyed || isClosed) {
        response.end();
        return;
      }
      // Other streams of the session may have opened during the wait.
      makeRoom(stream.sessionId);
      open.add(stream);
      if (news) {
        // A new stream has no position yet, so it has missed nothing.
        if (isNew) stream.position = news.position;
        report(stream, news);
      }
      const id = writePosition(stream.position);
      if (id !== null) write(stream, `id: ${id}\n\n`);
      if (open.size > 0) keepGoing();
    },
    async close() {
      isClosed = true;
      for (const stream of [...open]) end(stream);
    },
    get size() {
      return open.size;
    },
  };
}

function retryText(ms: number): string {
  return `retry: ${ms}\n\n`;
}

function eventText(event: 'change' | 'reload', position: Position, data: object): string {
  const id = writePosition(position);
  return `event: ${event}\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
