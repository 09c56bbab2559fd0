/** The logs of all processes of a run, including those that have ended. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DistributedProduct } from '../product/distributed.ts';
import { services } from '../product/stack.ts';
import { checkLogs, type LogCheck } from './log-check.ts';

/** A client's answer: without a status or an id there is nothing to look for. */
type Asked = { requestId: string | null; service: string };

// Lines wait up to 0.1 s in a process, and then for us.
const flushedWithinMs = 1_000;

/** @param secrets of the clients; those of the processes are known */
export async function checkLogsOf(
  product: DistributedProduct,
  asked: readonly Asked[],
  secrets: readonly string[],
): Promise<LogCheck> {
  await wait(flushedWithinMs);
  return checkLogs({
    printed: services.flatMap(service =>
      product.everStarted(service).map(one => ({ service, text: one.output() })),
    ),
    requests: asked.flatMap(({ requestId, service }) => (requestId ? [{ requestId, service }] : [])),
    secrets: new Set([...product.secrets, ...secrets]),
  });
}
