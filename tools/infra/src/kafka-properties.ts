/** `server.properties` of one broker, which is also a controller. */

export type BrokerPlace = {
  id: number;
  /** Where the broker listens. */
  port: number;
  /** The advertised port: its own, or that of a proxy in front of it. */
  toldPort: number;
  /** Port for replication between brokers, bypassing any proxy. */
  replicationPort: number;
  controllerPort: number;
  dataDir: string;
};

/** Replicas of each partition: three where there are three brokers. */
function replicasOf(brokers: number): number {
  return Math.min(3, brokers);
}

/** @param extra `name=value` lines that come last and so override earlier ones */
export function serverProperties(
  { id, port, toldPort, replicationPort, controllerPort, dataDir }: BrokerPlace,
  all: readonly BrokerPlace[],
  extra: readonly string[],
): string {
  const replicas = replicasOf(all.length);
  // With three replicas one broker may be down.
  const inSync = Math.max(1, replicas - 1);
  return `${[
    'process.roles=broker,controller',
    `node.id=${id}`,
    `controller.quorum.voters=${all.map(one => `${one.id}@127.0.0.1:${one.controllerPort}`).join()}`,
    `listeners=CLIENT://127.0.0.1:${port},REPLICATION://127.0.0.1:${replicationPort},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=CLIENT://127.0.0.1:${toldPort},REPLICATION://127.0.0.1:${replicationPort}`,
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=REPLICATION',
    'listener.security.protocol.map=CLIENT:PLAINTEXT,REPLICATION:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${dataDir}`,
    `default.replication.factor=${replicas}`,
    `min.insync.replicas=${inSync}`,
    `offsets.topic.replication.factor=${replicas}`,
    'offsets.topic.num.partitions=8',
    `transaction.state.log.replication.factor=${replicas}`,
    `transaction.state.log.min.isr=${inSync}`,
    'group.initial.rebalance.delay.ms=0',
    'auto.create.topics.enable=false',
    // No record while nothing happens: a fifth of what idle brokers take.
    'metadata.max.idle.interval.ms=0',
    // After a kill -9 the controller fences the broker when its session expires (default 9 s).
    'broker.session.timeout.ms=3000',
    'broker.heartbeat.interval.ms=1000',
    // Leaders return to a broker 5 s after it does (default 300 s), so that each restart moves them twice.
    'leader.imbalance.check.interval.seconds=5',
    'leader.imbalance.per.broker.percentage=0',
    ...extra,
  ].join('\n')}\n`;
}
