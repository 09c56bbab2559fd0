/**
 * An address in front of the replicas of a service, like a Kubernetes Service: a new connection goes
 * to a replica whose `/readyz` answered 200 in one of the last two probes, in turn; when none did, to
 * one whose last probe timed out, as balancers do that fail open: on a starved machine every probe
 * may. It only moves bytes: a connection stays with its replica, nothing is resent, and an unreachable
 * replica is a broken connection.
 */
import { connect, createServer, type Socket } from 'node:net';

export type ReadyProxy = {
  url: string;
  /** True when new connections go to the replica at this URL. */
  isReady(replicaUrl: string): boolean;
  /** Requests through this proxy that the replica at this URL has not answered yet. */
  inFlight(replicaUrl: string): number;
  /**
   * One line for each connection that was broken because no replica was ready, with
   * what the last probes found.
   */
  readonly refused: readonly string[];
  close(): Promise<void>;
};

type Replica = { url: string; failures: number; isSilent: boolean; lastProbe: string; waiting: Set<Socket> };

// The manifests' readiness probe at twice the rate: an ending replica is skipped within a second. One at a
// time, as a kubelet probes, so that one stall is one failure.
const askEveryMs = 500;
const answerWithinMs = 2_000;
const failuresMax = 2;

/** @param replicaUrls need not listen yet */
export async function startReadyProxy(replicaUrls: readonly string[]): Promise<ReadyProxy> {
  const replicas = replicaUrls.map(
    (url): Replica => ({
      ...{ url, failures: failuresMax, isSilent: false, lastProbe: 'never asked', waiting: new Set() },
    }),
  );
  const sockets = new Set<Socket>();
  const refused: string[] = [];
  let turn = 0;

  async function ask(replica: Replica): Promise<void> {
    const signal = AbortSignal.timeout(answerWithinMs);
    // One connection per probe: a probe on an old connection would only describe that one.
    const headers = { connection: 'close' };
    const beganMs = performance.now();
    const answer = await fetch(`${replica.url}/readyz`, { headers, signal }).catch((error: Error) => error);
    const isAnswer = answer instanceof Response;
    replica.failures = isAnswer && answer.status === 200 ? 0 : replica.failures + 1;
    replica.isSilent = !isAnswer && answer.name === 'TimeoutError';
    const found = isAnswer ? answer.status : answer.name;
    replica.lastProbe = `${found} after ${Math.round(performance.now() - beganMs)} ms`;
    if (isAnswer) await answer.arrayBuffer().catch(() => {});
  }

  function pick(): Replica | undefined {
    const ready = replicas.filter(replica => replica.failures < failuresMax);
    const chosen = ready.length > 0 ? ready : replicas.filter(replica => replica.isSilent);
    turn += 1;
    return chosen[turn % chosen.length];
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
      refused.push(replicas.map(({ url, lastProbe }) => `${url}: ${lastProbe}`).join('; '));
      near.on('error', () => {});
      near.destroy();
      return;
    }
    const { hostname, port } = new URL(replica.url);
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    keep(near, far);
    keep(far, near);
    // HTTP/1.1 without pipelining has one request at a time on a connection.
    near.on('data', () => replica.waiting.add(near));
    far.on('data', () => replica.waiting.delete(near));
    near.on('close', () => replica.waiting.delete(near));
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;
  const askInTurn = (replica: Replica): void => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      await ask(replica);
      if (!isClosed) askInTurn(replica);
    }, askEveryMs);
    timers.add(timer);
  };
  for (const replica of replicas) askInTurn(replica);
  return {
    url: `http://127.0.0.1:${port}`,
    isReady: url => replicas.some(replica => replica.url === url && replica.failures < failuresMax),
    refused,
    inFlight: url => replicas.find(replica => replica.url === url)?.waiting.size ?? 0,
    close: () =>
      new Promise(resolve => {
        isClosed = true;
        for (const timer of timers) clearTimeout(timer);
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
