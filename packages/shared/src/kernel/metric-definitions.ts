/**
 * Attributes that metrics of several services carry, and what they mean. A service declares its own next to
 * its metrics.
 */
export const sharedAttributes = {
  'http.request.method': 'Method of the request.',
  'http.route':
    'The route as it is declared, such as `/api/v1/content/:id`; `unknown` for a path that is none.',
  'http.response.status_code': 'Status of the answer.',
  'error.type': 'Class or code of what went wrong; absent where nothing did.',
  'messaging.destination.name': 'Topic.',
  'messaging.destination.partition.id': 'Partition of the topic.',
  'messaging.consumer.group.name': 'Consumer group, `<service>.<consumer>`.',
  'messaging.operation.type': '`send` or `process`.',
  'db.client.connection.pool.name': 'Whose pool it is, such as `hookline content`.',
  'db.system.name': '`postgresql` or `redis`.',
  'db.operation.name': 'First word of the statement, such as `select`, or what Redis was asked.',
  'db.query.text': 'The statement, without its values.',
  'db.client.connection.state': '`used` or `idle`.',
  'hookline.service': 'gateway, content, scheduling, automation or analytics.',
  'hookline.request_id': 'Id of the request, as the caller saw it in `X-Request-Id`.',
  'hookline.job.name': 'Worker that does the work, or the consumer group.',
  'hookline.job.outcome': '`done` or `failed`.',
  'hookline.posting.outcome': '`sent_to_drafts`, `published` or `failed`.',
  'hookline.reconciled.kind': '`permit` (content) or `firing` (automation).',
} as const;

export type MetricDefinition<A extends string = string> = {
  /** The OpenTelemetry semantic conventions name it where they can; otherwise it is `hookline.*`. */
  name: string;
  kind: 'histogram' | 'counter' | 'gauge';
  /** UCUM. A gauge in `1` would be called a ratio by what receives OTLP for Prometheus. */
  unit: 's' | 'By' | `{${string}}`;
  about: string;
  attributes: readonly A[];
};

/** The first three parts of a metric. */
export function named<const Kind extends MetricDefinition['kind']>(
  kind: Kind,
  name: string,
  unit: MetricDefinition['unit'],
) {
  return { name, kind, unit };
}

/** A span of Hookline. Those of outgoing HTTP are the instrumentation's. */
export type SpanDefinition<A extends string = string> = {
  /** A part in braces, such as `{route}`, differs from span to span. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  about: string;
  attributes: readonly A[];
};

type Table<T> = Readonly<Record<string, T>>;

/** The metrics and spans of one part of the product, and the attributes that no other part has. */
export type MetricDeclarations = {
  attributes: Table<string>;
  metrics: Table<MetricDefinition>;
  spans: Table<SpanDefinition>;
};

/** Declares metrics and spans. Each attribute they carry must be declared there or in `sharedAttributes`. */
export function defineMetrics<
  const A extends Table<string>,
  const M extends Table<MetricDefinition<KnownAttribute<A>>>,
  const S extends Table<SpanDefinition<KnownAttribute<A>>> = Record<never, never>,
>({ attributes, metrics, spans }: { attributes: A; metrics: M; spans?: S }) {
  return { attributes, metrics, spans: spans ?? ({} as S) };
}

type KnownAttribute<A> = (keyof A & string) | keyof typeof sharedAttributes;

/** The attributes that a metric may carry; an undefined one is left out. */
export type AttributesOf<D extends MetricDefinition> = {
  readonly [A in D['attributes'][number]]?: string | number | undefined;
};

/** The name in Prometheus: dots become underscores, the unit follows, a counter ends in `_total`. */
export function prometheusName({ name, kind, unit }: MetricDefinition): string {
  const plain = nameWithUnit(name, unit).replaceAll('.', '_');
  return kind === 'counter' ? `${plain}_total` : plain;
}

const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' };

/** As what receives OTLP for Prometheus names it, so that a scrape gives the same series. */
export function nameWithUnit(name: string, unit: string): string {
  return name + (unitSuffixes[unit] ?? '');
}
