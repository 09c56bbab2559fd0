/** Graceful shutdown of a server: announce, keep serving for a moment, close. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A dependency that must answer before the process takes requests. */
export type ReadinessCheck = { name: string; check(): Promise<boolean> };

export type Drain = {
  /** From the first moment of the stop: every answer then carries `Connection: close`. */
  readonly isOn: boolean;
  /** To be called with each answer but those of the health routes: ends its connection once the stop has begun. */
  tell(reply: FastifyReply): void;
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
// Requests still arrive when a prober is busy or routing is slow to change. The wait is bounded.
const announceMaxMs = 5_000;
const quietMs = 500;
const probedWithinMs = 60_000;
const lookEveryMs = 50;

/**
 * New connections are taken and answered for 2 s, until a balancer has seen `/readyz` fail and each client has met
 * `Connection: close`, and for up to 5 s as long as requests still come: what waits to be accepted at the close is lost.
 * Closes at once when nobody has probed for a minute.
 */
export function createDrain({ tellsConnections = false }: DrainOptions = {}): Drain {
  let isOn = false;
  let probedAtMs = Number.NEGATIVE_INFINITY;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return {
    get isOn() {
      return isOn;
    },
    tell(reply) {
      if (!isOn) return;
      toldAtMs = performance.now();
      reply.header('connection', 'close');
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
      const isAnnouncing = (nowMs: number): boolean =>
        nowMs - beganMs < announceMs || (nowMs - beganMs < announceMaxMs && nowMs - toldAtMs < quietMs);
      while (isAnnouncing(performance.now()) && (await isAwaited())) await delay(lookEveryMs);
      await app.close();
    },
  };
}

function countConnections(app: FastifyInstance): Promise<number> {
  return new Promise(resolve => {
    app.server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}
