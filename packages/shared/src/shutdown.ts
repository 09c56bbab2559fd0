import type { Logger } from './logger.ts';

/** In this order: stop taking requests, stop workers and consumers, flush, then the stores. */
export const shutdownPhases = ['requests', 'workers', 'bus', 'stores', 'telemetry'] as const;
export type ShutdownPhase = (typeof shutdownPhases)[number];

type Step = { name: string; stop: () => Promise<void> };

export type Shutdown = {
  add(phase: ShutdownPhase, name: string, stop: () => Promise<void>): void;
  /** Runs the phases once; each step is given `phaseMs`, then left behind with a line in the log. */
  run(): Promise<void>;
  /** True from the first `run` on: a start that fails then fails because it is being stopped. */
  isRunning(): boolean;
};

/** @param phaseMs limit of each phase. Five of 3 s end within the 15 s of decision 50. */
export function createShutdown(log: Logger, phaseMs = 3_000): Shutdown {
  const steps = new Map<ShutdownPhase, Step[]>(shutdownPhases.map(phase => [phase, []]));
  let running: Promise<void> | undefined;
  async function runAll(): Promise<void> {
    for (const phase of shutdownPhases) {
      await Promise.all((steps.get(phase) ?? []).map(step => runStep(step, phase)));
    }
  }
  async function runStep(step: Step, phase: ShutdownPhase): Promise<void> {
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

/** Runs the shutdown at SIGTERM or SIGINT and exits 0; a second signal exits at once with 1. */
export function exitOnSignals(shutdown: Shutdown, log: Logger): void {
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(1);
      log.info({ signal }, 'stopping');
      shutdown.run().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
