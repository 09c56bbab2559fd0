import type { Logger } from './logger.ts';

/** In this order: the public entrance, the services behind it, workers and consumers, flush, the stores. */
export const shutdownPhases = ['door', 'requests', 'workers', 'bus', 'stores', 'telemetry'] as const;
export type ShutdownPhase = (typeof shutdownPhases)[number];

type Step = { name: string; stop: () => Promise<void> };

export type Shutdown = {
  add(phase: ShutdownPhase, name: string, stop: () => Promise<void>): void;
  /** Runs the phases once; a step that exceeds the limit of its phase is abandoned with a log line. */
  run(): Promise<void>;
  /** True from the first `run` on: a start that fails after that fails because it is being stopped. */
  isRunning(): boolean;
};

/**
 * @param totalMs limit of all phases together (D-50). A phase may use the rest except a fifteenth reserved
 * for each later one, and two and a half for the bus: by default an answer in flight has 8.5 s, and a
 * generation takes up to 8
 */
export function createShutdown(log: Logger, totalMs = 15_000): Shutdown {
  // The bus waits for a fetch of 2 s before it leaves its groups.
  const reservedOf = (phase: ShutdownPhase): number => (totalMs / 15) * (phase === 'bus' ? 2.5 : 1);
  const steps = new Map<ShutdownPhase, Step[]>(shutdownPhases.map(phase => [phase, []]));
  let running: Promise<void> | undefined;
  async function runAll(): Promise<void> {
    const endMs = performance.now() + totalMs;
    for (const [index, phase] of shutdownPhases.entries()) {
      const later = shutdownPhases.slice(index + 1);
      const reservedForLaterMs = later.reduce((sum, one) => sum + reservedOf(one), 0);
      const phaseMs = Math.max(reservedOf(phase), endMs - performance.now() - reservedForLaterMs);
      await Promise.all((steps.get(phase) ?? []).map(step => runStep(step, phase, phaseMs)));
    }
  }
  async function runStep(step: Step, phase: ShutdownPhase, phaseMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>(resolve => {
      timer = setTimeout(resolve, phaseMs, 'late');
    });
    try {
      const result = await Promise.race([step.stop(), late]);
      if (result === 'late') log.warn({ phase, step: step.name, phaseMs }, 'a shutdown step took too long');
    } catch (error) {
      log.warn({ err: error, phase, step: step.name }, 'a shutdown step failed');
    } finally {
      clearTimeout(timer);
    }
  }
  return {
    add: (phase, name, stop) => {
      steps.get(phase)?.push({ name, stop });
    },
    run: () => {
      running ??= runAll();
      return running;
    },
    isRunning: () => running !== undefined,
  };
}

/** npm forwards a Ctrl-C that the terminal has already delivered; both arrive within this time. */
const sameSignalMs = 500;

/**
 * Runs the shutdown at SIGTERM, SIGINT or SIGHUP (the terminal was closed) and exits 0. A second signal exits
 * at once with 1; the same one again within 0.5 s is not a second.
 */
export function exitOnSignals(shutdown: Shutdown, log: Logger): void {
  let first: { signal: string; atMs: number } | undefined;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (first) {
        if (signal === first.signal && performance.now() - first.atMs < sameSignalMs) return;
        process.exit(1);
      }
      first = { signal, atMs: performance.now() };
      log.info({ signal }, 'stopping');
      shutdown.run().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
