/** Graceful shutdown of a server: announce, keep serving for a moment, close. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A dependency that must answer before the process takes requests. */
export type ReadinessCheck = { name: string; check(): Promise<boolean> };

export type Drain = {
  /** True from the start of the stop: every answer has `Connection: close` from then on. */
  readonly isOn: boolean;
  /**
   * Call it with each answer except those of the health routes: ends the connection once the stop has begun.
   */
  tell(reply: FastifyReply): void;
  /** Fails once the stop has begun, so that a balancer stops routing here. */
  readonly readiness: ReadinessCheck;
  /** Resolves when all requests in flight are answered and the server no longer listens. */
  run(app: FastifyInstance): Promise<void>;
};

export type DrainOptions = {
  /**
   * Also waits without a prober as long as a connection is open: at the edge, where clients are strangers.
   */
  tellsConnections?: boolean;
};

// Long enough for a prober of every second to probe twice, for a client under load to see the header on every
// socket, and for our own callers to drop an idle one (`idleSocketMs`).
const announceMs = 2_000;
// Requests still arrive when a prober is busy or routing is slow to change. The wait is bounded.
const announceMaxMs = 6_000;
// A balancer with a usual failure threshold of 2 routes elsewhere after so many refusals. One that is itself
// starved of processor time sends neither probes nor requests, and both again at once.
const refusedProbes = 2;
// A slower prober does not ask that often within the bound.
const quickProberMs = announceMaxMs / refusedProbes;
const probedWithinMs = 60_000;
const checkEveryMs = 50;
// Without a request for so many checks nobody sends any more: 500 ms. Checks are counted, because a process
// that gets no processor time for 0.8 s receives nothing either, and its clients wait to be accepted.
const quietChecks = 10;

/**
 * Accepts and answers new connections for at least 2 s, so that each client receives `Connection: close`, and
 * for up to 6 s until a balancer has seen `/readyz` fail twice and no request arrives: connections not yet
 * accepted at the close are lost. Closes at once when no probe came for a minute.
 */
export function createDrain({ tellsConnections = false }: DrainOptions = {}): Drain {
  let isOn = false;
  let probedAtMs = Number.NEGATIVE_INFINITY;
  let refused = 0;
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
        if (isOn) refused += 1;
        return !isOn;
      },
    },
    async run(app) {
      isOn = true;
      const beganMs = performance.now();
      const isProbed = beganMs - probedAtMs < probedWithinMs;
      const isProbedQuickly = beganMs - probedAtMs < quickProberMs;
      const isAwaited = async (): Promise<boolean> =>
        isProbed || (tellsConnections && (await countConnections(app)) > 0);
      let checksInQuiet = 0;
      let lastToldAtMs = toldAtMs;
      const isRoutedHere = (): boolean =>
        checksInQuiet < quietChecks || (isProbedQuickly && refused < refusedProbes);
      const isAnnouncing = (nowMs: number): boolean =>
        nowMs - beganMs < announceMs || (nowMs - beganMs < announceMaxMs && isRoutedHere());
      while (isAnnouncing(performance.now()) && (await isAwaited())) {
        await delay(checkEveryMs);
        checksInQuiet = toldAtMs === lastToldAtMs ? checksInQuiet + 1 : 0;
        lastToldAtMs = toldAtMs;
      }
      await app.close();
    },
  };
}

function countConnections(app: FastifyInstance): Promise<number> {
  return new Promise(resolve => {
    app.server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}
