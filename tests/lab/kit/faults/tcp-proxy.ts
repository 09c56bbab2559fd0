/**
 * A TCP proxy between two processes that can be cut, frozen (half-open, unnoticed by either side), lost,
 * poisoned and mended.
 */
import { connect, createServer, type Socket } from 'node:net';
import {
  drawToxic,
  endsBeforeFarSide,
  joinPoisoned,
  type Toxic,
  type ToxicShare,
  tellsEndLate,
} from './toxics.ts';

export type TcpProxy = {
  port: number;
  /** Ends every connection, and each new one at once. */
  cut(): void;
  /**
   * Connections stay and new ones are accepted, but no byte passes; `answers`: only bytes from the target are
   * held.
   */
  freeze(what?: 'both ways' | 'answers'): void;
  /**
   * The host behind it vanishes and another replaces it. Bytes on existing connections are acknowledged and
   * dropped for ever, even after `mend`; new connections work.
   */
  lose(): void;
  /** Each new connection gets one of the toxics, or none, by their shares. */
  poison(shares: readonly ToxicShare[]): void;
  /** Connections affected by each toxic. */
  readonly struck: Readonly<Partial<Record<Toxic['kind'], number>>>;
  /** Lets everything through again; frozen connections are ended, as their peers may have given them up. */
  mend(): void;
  /** Number of connections ended or held back by `cut`, `freeze` and `lose`. */
  readonly disturbed: number;
  close(): Promise<void>;
};

type State = 'through' | 'cut' | 'frozen' | 'mute';

/**
 * Listens on loopback and forwards every connection to `target` (`redis://host:port`, any scheme with a
 * port).
 */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const farSides = new WeakSet<Socket>();
  const lost = new WeakSet<Socket>();
  let state: State = 'through';
  let disturbed = 0;
  let toxics: readonly ToxicShare[] = [];
  const struck: Partial<Record<Toxic['kind'], number>> = {};

  const server = createServer(near => {
    if (state !== 'through') disturbed += 1;
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const toxic = state === 'through' ? drawToxic(toxics, Math.random) : null;
    if (toxic) struck[toxic.kind] = (struck[toxic.kind] ?? 0) + 1;
    if (toxic && endsBeforeFarSide(toxic, near)) {
      watch(near, null);
      return;
    }
    const far = connect(Number(targetPort), hostname);
    watch(near, far);
    watch(far, toxic && tellsEndLate(toxic) ? null : near);
    if (toxic) joinPoisoned(toxic, near, far);
    else {
      near.pipe(far);
      far.pipe(near);
    }
    if (state === 'frozen') hold(near, far);
    if (state === 'mute') hold(far);
    farSides.add(far);
  });

  function watch(socket: Socket, other: Socket | null): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (!lost.has(socket)) other?.destroy();
    });
  }

  function hold(...held: Socket[]): void {
    for (const socket of held) {
      socket.unpipe();
      socket.pause();
    }
  }

  function swallow(socket: Socket): void {
    socket.unpipe();
    socket.removeAllListeners('data');
    socket.resume();
  }

  function endAll(): void {
    for (const socket of sockets) if (!lost.has(socket)) socket.destroy();
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    get disturbed() {
      return disturbed;
    },
    cut() {
      state = 'cut';
      disturbed += sockets.size / 2;
      endAll();
    },
    freeze(what = 'both ways') {
      state = what === 'answers' ? 'mute' : 'frozen';
      disturbed += sockets.size / 2;
      hold(...[...sockets].filter(socket => state === 'frozen' || farSides.has(socket)));
    },
    lose() {
      for (const socket of sockets) {
        if (lost.has(socket)) continue;
        lost.add(socket);
        disturbed += 0.5;
        if (farSides.has(socket)) socket.destroy();
        else swallow(socket);
      }
    },
    poison(shares) {
      toxics = shares;
    },
    struck,
    mend() {
      toxics = [];
      if (state === 'frozen' || state === 'mute') endAll();
      state = 'through';
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
