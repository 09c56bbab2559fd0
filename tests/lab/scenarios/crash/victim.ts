/**
 * The process to kill: the content service or the gateway as started by their own `main.ts`, with a clock
 * that may be ahead. Its modules are loaded at once; it starts on request.
 */
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { topics } from '@hookline/shared/events';
import { createLogger, createShutdown } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { startService } from '@hookline/shared/service';
import { plantEarlyCharge } from './plant.ts';
import * as probe from './probe.ts';

export type VictimOrder =
  | {
      do: 'start';
      env: Record<string, string>;
      busUrl: string;
      /** Offset of the clock, ahead. */
      aheadMs: number;
      polls: string[];
      /** True when it charges outside the transaction that writes the content (`plant.ts`). */
      isPlanted: boolean;
    }
  | { do: 'listen' }
  | { do: 'watch'; point: string | null }
  | { do: 'tell' };

export type VictimReport = { url?: string; points?: string[]; polls?: string[] };

// Loaded ahead of time, and only what this one needs.
const gateway = process.argv[2] === 'gateway' ? await import('@hookline/gateway') : null;
const content = gateway ? null : await import('@hookline/content');
const log = createLogger({ service: 'victim', level: 'fatal' });
const shutdown = createShutdown(log, 5_000);

async function start({
  env,
  busUrl,
  aheadMs,
  polls,
  isPlanted,
}: VictimOrder & { do: 'start' }): Promise<string> {
  if (isPlanted) plantEarlyCharge();
  probe.knowPolls(polls);
  probe.watchPostgres();
  await probe.watchFiles();
  probe.watchHttp(gateway ? '/api/v1/content' : '/v1/content');
  const environment = { env, log, shutdown, now: () => new Date(Date.now() + aheadMs) };
  if (gateway) return (await startService(gateway.gateway, { ...environment, bus: null })).url;
  const database = openDatabase({ url: busUrl, connectionsMax: 4, name: 'victim bus', log });
  const bus = probe.watchBus(createPostgresLogBus({ database, log }));
  await bus.ensureTopics(topics);
  const service = await startService(content!.content, { ...environment, bus });
  await service.joined;
  return service.url;
}

async function obey(order: VictimOrder): Promise<VictimReport> {
  if (order.do === 'start') return { url: await start(order) };
  if (order.do === 'listen') probe.listenToIdle();
  if (order.do === 'watch') probe.watch(order.point);
  return { points: probe.pointsSeen(), polls: probe.pollsSeen() };
}

process.on('message', (order: VictimOrder) => {
  obey(order).then(
    report => process.send?.(report),
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
});
// The parent is gone: nothing else would end this process.
process.once('disconnect', () => process.exit(0));
process.send?.({});
