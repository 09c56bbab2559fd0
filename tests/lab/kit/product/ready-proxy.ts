/**
 * An address in front of the replicas of a service, as a Kubernetes Service is one: a new connection goes to a replica
 * whose `/readyz` answered 200 one of the last two times, in turn. It moves bytes only: a connection stays where it is, nothing is
 * sent again, and a replica that cannot be reached is a connection that breaks.
 */
import { connect, createServer, type Socket } from 'node:net';

export type ReadyProxy = {
  url: string;
  /** Whether new connections go to the replica at this URL. */
  isReady(replicaUrl: string): boolean;
  /** Requests that the replica at this URL has not answered yet, of those that came through here. */
  inFlight(replicaUrl: string): number;
  close(): Promise<void>;
};

type Replica = { url: string; failures: number; waiting: Set<Socket> };

// As the readiness probe of the manifests, asked twice as often: a replica that ends is passed over within a second.
const askEveryMs = 500;
const answerWithinMs = 2_000;
const failuresMax = 2;

/** @param replicaUrls nobody needs to listen there yet. */
export async function startReadyProxy(replicaUrls: readonly string[]): Promise<ReadyProxy> {
  const replicas = replicaUrls.map((url): Replica => ({ url, failures: failuresMax, waiting: new Set() }));
  const sockets = new Set<Socket>();
  let turn = 0;

  async function ask(replica: Replica): Promise<void> {
    const signal = AbortSignal.timeout(answerWithinMs);
    // A connection for each question: a probe that hung on an old one would tell of that one.
    const headers = { connection: 'close' };
    const answer = await fetch(`${replica.url}/readyz`, { headers, signal }).catch(() => null);
    replica.failures = answer?.status === 200 ? 0 : replica.failures + 1;
    await answer?.arrayBuffer().catch(() => {});
  }

  function pick(): Replica | undefined {
    const ready = replicas.filter(replica => replica.failures < failuresMax);
    turn += 1;
    return ready[turn % ready.length];
  }

  function keep(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', hadError => {
      sockets.delete(socket);
      if (hadError) other.destroy();
    });
    socket.on('error', () => {});
  }

  const server = createServer({ allowHalfOpen: true }, near => {
    const replica = pick();
    if (!replica) {
      near.on('error', () => {});
      near.destroy();
      return;
    }
    const { hostname, port } = new URL(replica.url);
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    keep(near, far);
    keep(far, near);
    // One request at a time stands on a connection of HTTP/1.1 without pipelining.
    near.on('data', () => replica.waiting.add(near));
    far.on('data', () => replica.waiting.delete(near));
    near.on('close', () => replica.waiting.delete(near));
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const timer = setInterval(() => {
    for (const replica of replicas) void ask(replica);
  }, askEveryMs);
  return {
    url: `http://127.0.0.1:${port}`,
    isReady: url => replicas.some(replica => replica.url === url && replica.failures < failuresMax),
    inFlight: url => replicas.find(replica => replica.url === url)?.waiting.size ?? 0,
    close: () =>
      new Promise(resolve => {
        clearInterval(timer);
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
