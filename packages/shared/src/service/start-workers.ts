/** Starts the workers of a service and wakes them by the notifications of its schema. */
import { type Logger, type Shutdown, startWorkerLoop, type WorkerLoop } from '../kernel/index.ts';
import { type Database, openWakeUp, type WakeUp } from '../postgres/index.ts';
import type { MakeWorker, Worker } from './definition.ts';

export type WorkerRuntime = {
  service: string;
  db: Database;
  log: Logger;
  shutdown: Shutdown;
  clockIsSteady: () => boolean;
  /** It listens on the same database and is not closed here. Without it the service opens its own. */
  wakeUp?: WakeUp | undefined;
};

/** Resolves once every worker's `start` has. Their ends are registered with `shutdown`, phase `workers`. */
export async function startWorkers<D>(
  runtime: WorkerRuntime,
  makers: readonly MakeWorker<D>[],
  deps: D,
): Promise<void> {
  const { service, log, shutdown } = runtime;
  const loops: (WorkerLoop | undefined)[] = [];
  const workers = makers.map((make, index) => make(deps, () => loops[index]?.wake()));
  listen(runtime, workers);
  for (const [index, worker] of workers.entries()) {
    await worker.start?.();
    const work = async () => (!worker.needsSteadyClock || runtime.clockIsSteady()) && worker.work();
    const loop = startWorkerLoop({ ...worker, work, log });
    loops[index] = loop;
    const stop = (): Promise<void> => (worker.stop ? worker.stop(() => loop.stop()) : loop.stop());
    shutdown.add('workers', `${service} ${worker.name}`, stop);
  }
}

function listen(runtime: WorkerRuntime, workers: readonly Worker[]): void {
  const listeners = workers.flatMap(({ channels = {} }) => Object.entries(channels));
  if (listeners.length === 0) return;
  const wakeUp = runtime.wakeUp ?? openOwn(runtime);
  for (const [channel, listener] of listeners) wakeUp.on(channel, listener);
}

function openOwn({ service, db, log, shutdown }: WorkerRuntime): WakeUp {
  const wakeUp = openWakeUp(db.connectionString, `hookline ${service} wake-up`, log);
  shutdown.add('workers', `${service} wake-up`, () => wakeUp.close());
  return wakeUp;
}
