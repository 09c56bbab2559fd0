/**
 * Every metric and span of the product, and every attribute they carry. Nothing is counted under a name that is not
 * here: the helpers of `metrics.ts` take their names, units and attributes from this table, `docs/metrics.md` is made
 * from it, and rules and dashboards are checked against it. Names are those of the OpenTelemetry semantic conventions
 * where there is one, else `hookline.*`.
 */

type MetricDefinition = {
  kind: 'histogram' | 'counter' | 'gauge';
  /** UCUM, as the conventions write it. */
  unit: string;
  about: string;
  attributes: readonly AttributeName[];
};

export const attributes = {
  'http.request.method': 'Method of the request.',
  'http.route':
    'The route as it is declared, such as `/api/v1/content/:id`; `unknown` for a path that is none.',
  'http.response.status_code': 'Status of the answer.',
  'error.type': 'Class or code of what went wrong; absent where nothing did.',
  'messaging.destination.name': 'Topic.',
  'messaging.destination.partition.id': 'Partition of the topic.',
  'messaging.consumer.group.name': 'Consumer group, `<service>.<consumer>`.',
  'messaging.operation.type': 'Always `process`.',
  'db.client.connection.pool.name': 'Whose pool it is, such as `hookline content`.',
  'db.client.connection.state': '`used` or `idle`.',
  'hookline.service': 'gateway, content, scheduling, automation or analytics.',
  'hookline.request_id': 'Id of the request, as the caller saw it in `X-Request-Id`.',
  'hookline.job.name': 'Worker that does the work, or the consumer group.',
  'hookline.job.outcome': '`done` or `failed`.',
  'hookline.posting.mode': '`draft` or `publish`.',
  'hookline.posting.outcome': '`sent_to_drafts`, `published` or `failed`.',
  'hookline.posting.category': 'Category of a failure, such as `account`; absent where nothing failed.',
  'hookline.attempt.state': '`calling`, `unconfirmed` or `accepted`.',
  'hookline.writer': '`composer` or `llm`.',
  'hookline.content.outcome': '`ready`, `failed`, or `refused` where the request ended in an error.',
  'hookline.content.drawn': 'Whether slides were drawn: `true` or `false`.',
  'hookline.ledger.check': '`balances` (against the ledger) or `charges` (against contents that are ready).',
  'hookline.webhook.outcome':
    '`delivered`, `refused` (an answer that is no 2xx), `unanswered` or `unsigned` (not sent: its secret cannot be opened).',
  'hookline.webhook.retry': 'Whether it was not the first attempt: `true` or `false`.',
  'hookline.firing.status': '`fired`, `skipped` or `failed`.',
  'hookline.firing.reason':
    'Why it was skipped or failed, such as `missed` or `set_aside`; absent where it fired.',
  'hookline.reconciled.kind': '`permit` (content) or `firing` (automation).',
  'hookline.platform': '`youtube` or `instagram`.',
  'hookline.collection.outcome': '`measured`, `missed` (no such post) or `failed`.',
  'hookline.quota.name': 'Call whose units are counted.',
} as const;

export type AttributeName = keyof typeof attributes;

const group = ['messaging.consumer.group.name', 'messaging.destination.name'] as const;

export const metricDefinitions = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of requests by route; probes are not counted.',
    attributes: ['hookline.service', 'http.request.method', 'http.route', 'http.response.status_code'],
  },
  'messaging.process.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of processing one message; each retry is one.',
    attributes: [...group, 'error.type'],
  },
  'hookline.bus.lag': {
    kind: 'gauge',
    unit: '{message}',
    about:
      'Messages published and not yet settled by the group; of `operator.redrive`: dead letters that wait for a person.',
    attributes: [...group, 'messaging.destination.partition.id'],
  },
  'hookline.bus.settled': {
    kind: 'gauge',
    unit: '{message}',
    about: "The group's position in the partition; it stands still for as long as nothing is settled.",
    attributes: [...group, 'messaging.destination.partition.id'],
  },
  'hookline.bus.up': {
    kind: 'gauge',
    unit: '1',
    about:
      '1 while this worker process has joined the bus and the bus answers, otherwise 0. Absent in the role api.',
    attributes: ['hookline.service'],
  },
  'hookline.bus.dead_letters': {
    kind: 'counter',
    unit: '{message}',
    about: 'Messages given up on and put into `<topic>.dlq`.',
    attributes: group,
  },
  'hookline.outbox.age': {
    kind: 'gauge',
    unit: 's',
    about: 'Age of the oldest unpublished event.',
    attributes: ['hookline.service'],
  },
  'hookline.outbox.dead': {
    kind: 'gauge',
    unit: '{event}',
    about: 'Events that the bus refused for good, set aside in `outbox_dead`.',
    attributes: ['hookline.service'],
  },
  'hookline.job.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of one piece of work of a worker.',
    attributes: ['hookline.job.name', 'hookline.job.outcome'],
  },
  'hookline.job.stuck': {
    kind: 'gauge',
    unit: '1',
    about:
      'Pieces of work of a worker or messages of a consumer group that have taken over 2 min and still go on.',
    attributes: ['hookline.job.name'],
  },
  'hookline.limiter.exact': {
    kind: 'gauge',
    unit: '1',
    about: '1 while limits are shared in Redis, 0 while each gateway keeps its part. Absent without Redis.',
    attributes: [],
  },
  'hookline.content.generation.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of making one slideshow: writing, drawing, storing the slides.',
    attributes: ['hookline.content.outcome', 'hookline.content.drawn', 'error.type'],
  },
  'hookline.content.writing.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of writing the texts of one slideshow, by writer.',
    attributes: ['hookline.writer', 'error.type'],
  },
  'hookline.credits.reserved': {
    kind: 'gauge',
    unit: '{credit}',
    about: 'Credits set aside for generations that run.',
    attributes: [],
  },
  'hookline.ledger.drift': {
    kind: 'gauge',
    unit: '{credit}',
    about:
      'Credits by which the ledger and what it must equal differ; 0 always. Once a minute, of the accounts that ' +
      'changed and the next hundred of all; `npm run ops -- check-invariants` checks all.',
    attributes: ['hookline.ledger.check'],
  },
  'hookline.posting.lateness': {
    kind: 'histogram',
    unit: 's',
    about:
      'From the time a schedule names to the first call to the platform. Waiting for an approval is left out, ' +
      "waiting for the account's pace is not.",
    attributes: ['hookline.posting.mode'],
  },
  'hookline.posting.outcomes': {
    kind: 'counter',
    unit: '{schedule}',
    about: 'Schedules that ended.',
    attributes: ['hookline.posting.mode', 'hookline.posting.outcome', 'hookline.posting.category'],
  },
  'hookline.posting.overdue': {
    kind: 'gauge',
    unit: 's',
    about: 'How long the longest due schedule has been in no worker’s hands; 0 when none is due.',
    attributes: [],
  },
  'hookline.posting.paused': {
    kind: 'gauge',
    unit: '1',
    about:
      '1 while no post may go out: an operator paused the sending, or the database went back in time; otherwise 0.',
    attributes: [],
  },
  'hookline.posting.went_back': {
    kind: 'gauge',
    unit: '1',
    about:
      '1 while nothing is sent because the database is younger than what was sent from it, otherwise 0. ' +
      '`npm run ops -- close-after` ends it.',
    attributes: [],
  },
  'hookline.posting.unsettled': {
    kind: 'gauge',
    unit: '{attempt}',
    about: 'Calls to the platform whose outcome is open.',
    attributes: ['hookline.attempt.state'],
  },
  'hookline.posting.unsettled.age': {
    kind: 'gauge',
    unit: 's',
    about: 'Age of the oldest of them.',
    attributes: ['hookline.attempt.state'],
  },
  'hookline.webhook.latency': {
    kind: 'histogram',
    unit: 's',
    about: 'From the commit of an event to the end of the first attempt to deliver it.',
    attributes: ['hookline.webhook.outcome'],
  },
  'hookline.webhook.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    about: 'Attempts to deliver.',
    attributes: ['hookline.webhook.outcome', 'hookline.webhook.retry'],
  },
  'hookline.webhook.overdue': {
    kind: 'gauge',
    unit: 's',
    about: 'How long the longest due delivery has been in no worker’s hands; 0 when none is due.',
    attributes: [],
  },
  'hookline.firings': {
    kind: 'counter',
    unit: '{firing}',
    about: 'Slots of automations that were settled.',
    attributes: ['hookline.firing.status', 'hookline.firing.reason'],
  },
  'hookline.firings.stalled': {
    kind: 'gauge',
    unit: 's',
    about: 'How long the longest firing has waited for its content without news; 0 when none waits.',
    attributes: [],
  },
  'hookline.permits.age': {
    kind: 'gauge',
    unit: 's',
    about: 'Age of the oldest open right to send; 0 when none is open. A call settles within 70 minutes.',
    attributes: [],
  },
  'hookline.reconciled': {
    kind: 'counter',
    unit: '{row}',
    about:
      'Permits and firings that had outlived their cause and were moved on: an event was lost, or is very late.',
    attributes: ['hookline.reconciled.kind'],
  },
  'hookline.automations.set_aside': {
    kind: 'gauge',
    unit: '{automation}',
    about: 'Automations that could not be settled and fire no more until they are changed.',
    attributes: [],
  },
  'hookline.analytics.schedules': {
    kind: 'counter',
    unit: '{schedule}',
    about:
      'Ends of schedules that analytics counted from the bus: over time the same as `hookline.posting.outcomes`.',
    attributes: ['hookline.posting.outcome'],
  },
  'hookline.analytics.collections': {
    kind: 'counter',
    unit: '{post}',
    about: 'Posts whose numbers were asked for.',
    attributes: ['hookline.platform', 'hookline.collection.outcome'],
  },
  'hookline.analytics.quota': {
    kind: 'gauge',
    unit: '{unit}',
    about: "Units left of the day's quota at YouTube.",
    attributes: ['hookline.quota.name'],
  },
  'db.client.connection.count': {
    kind: 'gauge',
    unit: '{connection}',
    about: 'Connections to Postgres.',
    attributes: ['db.client.connection.pool.name', 'db.client.connection.state'],
  },
  'db.client.connection.max': {
    kind: 'gauge',
    unit: '{connection}',
    about: 'Most connections of the pool.',
    attributes: ['db.client.connection.pool.name'],
  },
  'db.client.connection.pending_requests': {
    kind: 'gauge',
    unit: '{request}',
    about: 'Queries that wait for a connection.',
    attributes: ['db.client.connection.pool.name'],
  },
  'nodejs.eventloop.delay.p99': {
    kind: 'gauge',
    unit: 's',
    about: 'Delay of the event loop, 99th percentile since the look before.',
    attributes: [],
  },
  'process.memory.usage': {
    kind: 'gauge',
    unit: 'By',
    about: 'Resident memory of the process.',
    attributes: [],
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricDefinitions;

type NamesOf<K extends MetricDefinition['kind']> = {
  [N in MetricName]: (typeof metricDefinitions)[N]['kind'] extends K ? N : never;
}[MetricName];

export type HistogramName = NamesOf<'histogram'>;
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;

/** The attributes that a metric may carry; an undefined one is left out. */
export type AttributesOf<N extends MetricName> = {
  readonly [A in (typeof metricDefinitions)[N]['attributes'][number]]?: string | number | undefined;
};

/** Spans of our own; those of Postgres, Redis and outgoing HTTP are the instrumentations'. */
export const spanDefinitions = {
  '{method} {route}': {
    kind: 'server',
    about: 'A request, in the gateway and in the service that owns the route.',
    attributes: ['http.request.method', 'http.route', 'http.response.status_code', 'hookline.request_id'],
  },
  'process {topic}': {
    kind: 'consumer',
    about: 'An event in a consumer; its parent is the span of the transaction that wrote the event.',
    attributes: [
      'messaging.destination.name',
      'messaging.destination.partition.id',
      'messaging.consumer.group.name',
      'messaging.operation.type',
    ],
  },
  'send schedule': {
    kind: 'internal',
    about:
      'A worker takes a due schedule as far as it goes. Its parent is the request that made the schedule; after ten minutes it is a trace of its own, linked to that request.',
    attributes: ['hookline.request_id'],
  },
  'settle schedule': {
    kind: 'internal',
    about:
      'What the platform said of a post is written down. Parent as above; linked to the request that brought the news.',
    attributes: ['hookline.request_id'],
  },
  'deliver webhook': {
    kind: 'internal',
    about:
      'One attempt to deliver an event. Its parent is the span in which the event reached the feed; after ten minutes it is a trace of its own, linked to that.',
    attributes: ['hookline.request_id', 'hookline.webhook.outcome', 'hookline.webhook.retry'],
  },
} as const satisfies Record<
  string,
  { kind: 'server' | 'consumer' | 'internal'; about: string; attributes: readonly AttributeName[] }
>;

export type SpanName = keyof typeof spanDefinitions;

/** The name in Prometheus: dots become underscores, a counter ends in `_total`, units are left out. */
export function prometheusName(name: MetricName): string {
  const plain = name.replaceAll('.', '_');
  return metricDefinitions[name].kind === 'counter' ? `${plain}_total` : plain;
}
