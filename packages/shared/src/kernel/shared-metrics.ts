import { defineMetrics, named, sharedAttributes } from './metric-definitions.ts';

const group = ['messaging.consumer.group.name', 'messaging.destination.name'] as const;

/** Metrics and spans that several services record. A service declares its own in its `metrics.ts`. */
export const sharedMetrics = defineMetrics({
  attributes: sharedAttributes,
  metrics: {
    requestDuration: {
      ...named('histogram', 'http.server.request.duration', 's'),
      about: 'Duration of requests by route; probes are not counted.',
      attributes: ['hookline.service', 'http.request.method', 'http.route', 'http.response.status_code'],
    },
    messageDuration: {
      ...named('histogram', 'messaging.process.duration', 's'),
      about: 'Duration of processing one message; each retry is one.',
      attributes: [...group, 'error.type'],
    },
    busLag: {
      ...named('gauge', 'hookline.bus.lag', '{message}'),
      about:
        'Messages published and not yet settled by the group; of `operator.redrive`: dead letters that wait for a person.',
      attributes: [...group, 'messaging.destination.partition.id'],
    },
    busSettled: {
      ...named('gauge', 'hookline.bus.settled', '{message}'),
      about: "The group's position in the partition; it stands still for as long as nothing is settled.",
      attributes: [...group, 'messaging.destination.partition.id'],
    },
    busUp: {
      ...named('gauge', 'hookline.bus.up', '{boolean}'),
      about:
        '1 while this worker process has joined the bus and the bus answers, otherwise 0. Absent in the role api.',
      attributes: ['hookline.service'],
    },
    deadLetters: {
      ...named('counter', 'hookline.bus.dead_letters', '{message}'),
      about: 'Messages given up on and put into `<topic>.dlq`.',
      attributes: group,
    },
    outboxAge: {
      ...named('gauge', 'hookline.outbox.age', 's'),
      about: 'Age of the oldest unpublished event.',
      attributes: ['hookline.service'],
    },
    outboxDead: {
      ...named('gauge', 'hookline.outbox.dead', '{event}'),
      about: 'Events that the bus refused for good, set aside in `outbox_dead`.',
      attributes: ['hookline.service'],
    },
    jobDuration: {
      ...named('histogram', 'hookline.job.duration', 's'),
      about: 'Duration of one piece of work of a worker.',
      attributes: ['hookline.job.name', 'hookline.job.outcome'],
    },
    jobStuck: {
      ...named('gauge', 'hookline.job.stuck', '{job}'),
      about:
        'Pieces of work of a worker or messages of a consumer group that have taken over 2 min and still go on.',
      attributes: ['hookline.job.name'],
    },
    reconciled: {
      ...named('counter', 'hookline.reconciled', '{row}'),
      about:
        'Permits and firings that had outlived their cause and were moved on: an event was lost, or is very late.',
      attributes: ['hookline.reconciled.kind'],
    },
    connections: {
      ...named('gauge', 'db.client.connection.count', '{connection}'),
      about: 'Connections to Postgres.',
      attributes: ['db.client.connection.pool.name', 'db.client.connection.state'],
    },
    connectionsMax: {
      ...named('gauge', 'db.client.connection.max', '{connection}'),
      about: 'Most connections of the pool.',
      attributes: ['db.client.connection.pool.name'],
    },
    connectionsPending: {
      ...named('gauge', 'db.client.connection.pending_requests', '{request}'),
      about: 'Queries that wait for a connection.',
      attributes: ['db.client.connection.pool.name'],
    },
    clockOffset: {
      ...named('gauge', 'hookline.database.clock_offset', 's'),
      about:
        "How far the database's clock is ahead of the clock of this process' machine; negative if behind.",
      attributes: ['hookline.service'],
    },
    eventLoopDelay: {
      ...named('gauge', 'nodejs.eventloop.delay.p99', 's'),
      about: 'Delay of the event loop, 99th percentile since the reading before.',
      attributes: [],
    },
    memory: {
      ...named('gauge', 'process.memory.usage', 'By'),
      about: 'Resident memory of the process.',
      attributes: [],
    },
  },
  spans: {
    request: {
      name: '{method} {route}',
      kind: 'server',
      about: 'A request, in the gateway and in the service that owns the route.',
      attributes: ['http.request.method', 'http.route', 'http.response.status_code', 'hookline.request_id'],
    },
    statement: {
      name: 'postgresql {operation}',
      kind: 'client',
      about: 'A statement of a request, event or worker.',
      attributes: [
        'db.system.name',
        'db.operation.name',
        'db.query.text',
        'db.client.connection.pool.name',
        'error.type',
      ],
    },
    sent: {
      name: 'send {topic}',
      kind: 'producer',
      about: 'An event on its way from the outbox to the bus; its parent is the span that wrote the event.',
      attributes: ['messaging.destination.name', 'messaging.operation.type', 'error.type'],
    },
    message: {
      name: 'process {topic}',
      kind: 'consumer',
      about: 'An event in a consumer; its parent is the span of the transaction that wrote the event.',
      attributes: [
        'messaging.destination.name',
        'messaging.destination.partition.id',
        'messaging.consumer.group.name',
        'messaging.operation.type',
      ],
    },
  },
});
