/** A server's end without a failed request: it says so first, goes on serving for a moment, then closes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ReadinessCheck } from './server.ts';

export type Drain = {
  /** From the first moment of the stop: every answer then carries `Connection: close`. */
  readonly isOn: boolean;
  /** Fails from then on, so that a balancer looks elsewhere. */
  readonly readiness: ReadinessCheck;
  /** Resolves when what was in flight is answered and nothing listens any more. */
  run(app: FastifyInstance): Promise<void>;
};

export type DrainOptions = {
  /** Also waits where nobody probes, as long as a connection is open: at the edge, where clients are strangers. */
  tellsConnections?: boolean;
};

// Long enough for a prober of every second to ask twice, for a client under load to be told on every socket, and for a
// caller of ours to let go of an idle one (`idleSocketMs`).
const announceMs = 2_000;
const probedWithinMs = 60_000;
const lookEveryMs = 50;

/**
 * New connections are taken and answered for up to 2 s, until a balancer has seen `/readyz` fail and each client has met
 * `Connection: close`. Where nobody has probed for a minute there is nobody to tell.
 */
export function createDrain({ tellsConnections = false }: DrainOptions = {}): Drain {
  let isOn = false;
  let probedAtMs = Number.NEGATIVE_INFINITY;
  return {
    get isOn() {
      return isOn;
    },
    readiness: {
      name: 'stopping',
      check: async () => {
        probedAtMs = performance.now();
        return !isOn;
      },
    },
    async run(app) {
      isOn = true;
      const beganMs = performance.now();
      const isProbed = beganMs - probedAtMs < probedWithinMs;
      const isAwaited = async (): Promise<boolean> =>
        isProbed || (tellsConnections && (await countConnections(app)) > 0);
      while (performance.now() - beganMs < announceMs && (await isAwaited())) await delay(lookEveryMs);
      await app.close();
    },
  };
}

function countConnections(app: FastifyInstance): Promise<number> {
  return new Promise(resolve => {
    app.server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}
