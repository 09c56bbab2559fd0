/**
 * Open loop: requests are sent on schedule whether or not earlier ones were answered, and latency counts from
 * the scheduled time. So a stall is charged to every request that had to wait.
 */

import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import type { LoadRequest } from './wrk.ts';

export type OpenLoopResult = { requests: number; p50Ms: number; p99Ms: number; maxMs: number };

type Connection = { socket: Socket; dueMs: number; received: string; answerBytes: number };

const usualDrainMs = 5_000;
const headEnd = '\r\n\r\n';

export type OpenLoopOptions = {
  perSecond: number;
  seconds: number;
  connectionsMax: number;
  /** Time allowed for the last answers; raise it to measure a slow server without failing the run. */
  drainMs?: number;
};

/**
 * @throws Error when a request was refused, lost, or not answered within `drainMs` (5 s) after the last one
 * was sent
 */
export async function runOpenLoop(
  url: string,
  requests: readonly LoadRequest[],
  { perSecond, seconds, connectionsMax, drainMs = usualDrainMs }: OpenLoopOptions,
): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(url);
  const texts = requests.map(request => toText(request, `${hostname}:${port}`));
  const latencies = new Float64Array(Math.floor(perSecond * seconds));
  const idle: Connection[] = [];
  const waiting: number[] = [];
  let sent = 0;
  let answered = 0;
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
  };
  const sockets = await openAll(hostname, Number(port), connectionsMax);

  function send(connection: Connection, dueMs: number): void {
    connection.dueMs = dueMs;
    connection.received = '';
    connection.answerBytes = 0;
    connection.socket.write(texts[sent % texts.length] as string);
    sent += 1;
  }

  function receive(connection: Connection, chunk: string): void {
    connection.received += chunk;
    connection.answerBytes ||= lengthOf(connection.received, fail);
    if (connection.answerBytes === 0 || connection.received.length < connection.answerBytes) return;
    latencies[answered] = performance.now() - connection.dueMs;
    answered += 1;
    const dueMs = waiting.shift();
    if (dueMs === undefined) idle.push(connection);
    else send(connection, dueMs);
  }

  for (const socket of sockets) {
    const connection = { socket, dueMs: 0, received: '', answerBytes: 0 };
    socket.setEncoding('latin1').setNoDelay(true);
    socket.on('data', chunk => receive(connection, String(chunk)));
    socket.on('error', fail).on('close', () => fail(new Error('a connection was closed')));
    idle.push(connection);
  }
  const beganMs = performance.now();
  for (let due = 0; due < latencies.length && !failure; ) {
    const elapsedMs = performance.now() - beganMs;
    for (; due < latencies.length && (due * 1000) / perSecond <= elapsedMs; due += 1) {
      const dueMs = beganMs + (due * 1000) / perSecond;
      const connection = idle.pop();
      if (connection) send(connection, dueMs);
      else waiting.push(dueMs);
    }
    await wait(1);
  }
  const until = performance.now() + drainMs;
  while (answered < latencies.length && !failure && performance.now() < until) {
    await wait(1);
  }
  for (const socket of sockets) socket.removeAllListeners('close').destroy();
  if (failure) throw failure;
  if (answered < latencies.length)
    throw new Error(`${latencies.length - answered} requests were not answered`);
  const sorted = latencies.toSorted();
  return {
    requests: answered,
    p50Ms: percentileOf(sorted, 0.5),
    p99Ms: percentileOf(sorted, 0.99),
    maxMs: percentileOf(sorted, 1),
  };
}

function toText({ method, path, headers, body }: LoadRequest, host: string): string {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/** Length in bytes of the whole answer once its head has arrived, else 0. Supports only a content length. */
function lengthOf(received: string, fail: (error: Error) => void): number {
  const end = received.indexOf(headEnd);
  if (end < 0) return 0;
  if (!received.startsWith('HTTP/1.1 2')) fail(new Error(`refused: ${received.slice(0, 200)}`));
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end));
  if (!length) fail(new Error('an answer without content-length'));
  return end + headEnd.length + Number(length?.[1]);
}

async function openAll(host: string, port: number, count: number): Promise<Socket[]> {
  return await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, host);
          socket.once('error', reject).once('connect', () => {
            socket.off('error', reject);
            resolve(socket);
          });
        }),
    ),
  );
}
