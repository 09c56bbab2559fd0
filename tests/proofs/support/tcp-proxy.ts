/** A TCP way between two processes that can be cut, frozen (half open: nobody is told) and mended. */
import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  port: number;
  /** Ends every connection, and each new one at once. */
  cut(): void;
  /** Connections stay and new ones are accepted, but not one byte passes. */
  freeze(): void;
  /** Lets everything through again; what was frozen is ended, as its peers may have given it up. */
  mend(): void;
  /** How many connections were ended or held back by `cut` and `freeze`. */
  readonly disturbed: number;
  close(): Promise<void>;
};

type State = 'through' | 'cut' | 'frozen';

/** Listens on loopback and hands every connection to `target` (`redis://host:port`, any scheme with a port). */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let state: State = 'through';
  let disturbed = 0;

  const server = createServer(near => {
    if (state !== 'through') disturbed += 1;
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(Number(targetPort), hostname);
    join(near, far);
    join(far, near);
    if (state === 'frozen') hold(near, far);
  });

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }

  function hold(...held: Socket[]): void {
    for (const socket of held) {
      socket.unpipe();
      socket.pause();
    }
  }

  function endAll(): void {
    for (const socket of sockets) socket.destroy();
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
    freeze() {
      state = 'frozen';
      disturbed += sockets.size / 2;
      hold(...sockets);
    },
    mend() {
      if (state === 'frozen') endAll();
      state = 'through';
    },
    async close() {
      endAll();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
