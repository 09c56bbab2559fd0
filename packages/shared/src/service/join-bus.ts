/** Joins a worker process to the bus: it serves before the bus answers, and joins when the bus does. */
import type { Bus } from '../bus/index.ts';
import { type OutboxRelay, startOutboxRelay } from '../bus/index.ts';
import { topics } from '../events/index.ts';
import type { Logger } from '../kernel/index.ts';
import { sharedMetrics, watchGauge, within } from '../kernel/index.ts';
import type { ConnectionSource, Database } from '../postgres/index.ts';
import { type Consumer, startConsumers } from './consumer.ts';

export type BusMembership = {
  /** Resolves once the relay runs and every consumer has joined its group, or at `stop`. Never rejects. */
  joined: Promise<void>;
  /** True while this process has not joined, or the bus failed the latest health check. Answers at once. */
  isDegraded(): boolean;
  /** Ends the relay after its batch and gives up joining. Consumers end with the bus. */
  stop(): Promise<void>;
};

export type BusMembershipOptions = {
  service: string;
  bus: Bus;
  db: Database;
  log: Logger;
  consumers: readonly Consumer[];
  /** Runs once the topics exist, before the relay publishes to them; again until it resolves. */
  beforePublishing(bus: Bus): Promise<void>;
  /** False: the service has no outbox. */
  publishes: boolean;
  /** It opens the relay's connection; without it the relay opens its own. */
  relayConnections?: ConnectionSource | undefined;
};

const topicsWithinMs = 30_000;
const retryAfterMinMs = 500;
const retryAfterMaxMs = 5_000;
// No more often than a prober that probes every second.
const healthFreshMs = 1_000;

/**
 * Creates the topics, then starts the outbox relay and the consumers, all in the background. Failures are
 * retried every 0.5 to 5 s without limit: events wait in the outbox and on the bus, so nothing is lost.
 */
export function joinBus({
  service,
  bus,
  db,
  log,
  consumers,
  beforePublishing,
  publishes,
  relayConnections,
}: BusMembershipOptions): BusMembership {
  const stopping = Promise.withResolvers<void>();
  const isHealthy = watchHealth(bus);
  let isStopping = false;
  let hasJoined = false;
  let hasComplained = false;
  let relay: OutboxRelay | undefined;

  async function insist(what: string, attempt: () => Promise<void>): Promise<void> {
    for (let failures = 0; !isStopping; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (isStopping) return;
        if (!hasComplained) {
          hasComplained = true;
          log.warn(
            { err: error, what },
            'the bus cannot be joined yet; this process serves without it and retries',
          );
        }
        await pause(Math.min(retryAfterMaxMs, retryAfterMinMs * 2 ** failures));
      }
    }
  }

  async function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, stopping.promise]);
    clearTimeout(timer);
  }

  async function join(): Promise<void> {
    // Before the relay: a topic that does not exist yet would count as a refusal of the event.
    await insist('topics', () =>
      within(topicsWithinMs, bus.ensureTopics(topics), 'the topics were not created'),
    );
    await insist('before publishing', () => beforePublishing(bus));
    if (isStopping) return;
    if (publishes) relay = startOutboxRelay({ service, db, bus, log, connections: relayConnections });
    await Promise.all(
      consumers.map(consumer =>
        insist(`consumer ${consumer.name}`, () => startConsumers({ service, db, bus, log }, [consumer])),
      ),
    );
    if (isStopping) return;
    hasJoined = true;
    log.info({ consumers: consumers.length }, 'joined the bus');
  }

  watchGauge(sharedMetrics.metrics.busUp, async () => {
    const isUp = hasJoined && (await bus.health()).ok;
    return [{ value: isUp ? 1 : 0, attributes: { 'hookline.service': service } }];
  });
  return {
    joined: Promise.race([join(), stopping.promise]),
    isDegraded: () => !hasJoined || !isHealthy(),
    async stop() {
      isStopping = true;
      stopping.resolve();
      await relay?.stop();
    },
  };
}

/**
 * The latest known health, refreshed in the background at most once a second: a probe never waits for the
 * bus.
 */
function watchHealth(bus: Bus): () => boolean {
  let isOk = true;
  let isChecking = false;
  let checkedAtMs = Number.NEGATIVE_INFINITY;

  async function check(): Promise<void> {
    isChecking = true;
    isOk = await bus.health().then(
      health => health.ok,
      () => false,
    );
    checkedAtMs = performance.now();
    isChecking = false;
  }

  return () => {
    if (!isChecking && performance.now() - checkedAtMs > healthFreshMs) void check();
    return isOk;
  };
}
