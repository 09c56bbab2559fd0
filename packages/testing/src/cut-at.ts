/** A TCP proxy that cuts a connection when chosen data passes through: a commit, a request, an answer. */
import { connect, createServer, type Socket } from 'node:net';

export type CutProxy = {
  port: number;
  /**
   * Arms the proxy for one cut. The rule is called for every piece that arrives.
   * @param rule null: the piece passes; a number: that many of its bytes pass, then the connection ends
   */
  arm(rule: CutRule): void;
  disarm(): void;
  /** Connections stay open, and new ones are accepted, but no byte passes until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Number of connections that the rule ended. */
  readonly cuts: number;
  close(): Promise<void>;
};

export type CutRule = (piece: Piece) => number | null;

export type Piece = {
  /** The number of the connection, counted from 1. */
  connection: number;
  from: 'client' | 'server';
  bytes: Buffer;
  /** Data this side has sent on this connection since the proxy was armed, this piece included. */
  sentSoFar: Buffer;
};

/** Listens on loopback and forwards every connection to `port`. */
export async function startCutProxy(target: { host: string; port: number }): Promise<CutProxy> {
  let rule: CutRule | null = null;
  let armings = 0;
  let cuts = 0;
  let isFrozen = false;
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer(near => {
    connections += 1;
    const connection = connections;
    const far = connect(target.port, target.host);
    const pairs = [
      { from: 'client' as const, source: near, sink: far },
      { from: 'server' as const, source: far, sink: near },
    ];
    for (const { from, source, sink } of pairs) {
      source.setNoDelay(true);
      sockets.add(source);
      let seenIn = 0;
      let sentSoFar = Buffer.alloc(0);
      source.on('error', () => {});
      // Data already written is still sent.
      source.on('close', () => {
        sockets.delete(source);
        sink.end();
      });
      source.on('data', bytes => {
        if (seenIn !== armings) sentSoFar = Buffer.alloc(0);
        seenIn = armings;
        if (rule) sentSoFar = Buffer.concat([sentSoFar, bytes]);
        const verdict = rule?.({ connection, from, bytes, sentSoFar }) ?? null;
        if (verdict === null) {
          sink.write(bytes);
          return;
        }
        rule = null;
        cuts += 1;
        if (verdict > 0) sink.end(bytes.subarray(0, verdict));
        else sink.destroy();
        source.destroy();
      });
      if (isFrozen) source.pause();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    arm(next) {
      armings += 1;
      rule = next;
    },
    disarm() {
      rule = null;
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    get cuts() {
      return cuts;
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}
