/** A collector for OTLP over HTTP in JSON, complete enough to tell which spans belong together. */
import { createServer } from 'node:http';

export type SeenSpan = {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer, as OTLP numbers them. */
  kind: number;
  /** Its instrumentation scope: `hookline`, or an instrumentation. */
  scope: string;
  attributes: string[];
  /** Whose pool ran the statement, such as `hookline content`. */
  pool?: string | undefined;
  /** Traces that it is linked to. */
  links: string[];
};

export type TraceCollector = {
  /** Environment with which a process reports here. */
  env: Record<string, string>;
  spansOf(traceId: string): readonly SeenSpan[];
  close(): Promise<void>;
};

type Attribute = { key: string; value: { stringValue?: string } };
type ExportedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes?: Attribute[];
  links?: { traceId: string }[];
};
type Export = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { scope?: { name: string }; spans: ExportedSpan[] }[];
  }[];
};

export async function startTraceCollector(): Promise<TraceCollector> {
  const seen = new Map<string, SeenSpan[]>();
  const keep = (span: SeenSpan): void => {
    const known = seen.get(span.traceId);
    if (known) known.push(span);
    else seen.set(span.traceId, [span]);
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url === '/v1/traces') readSpans(JSON.parse(body) as Export).forEach(keep);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '300',
    },
    spansOf: traceId => seen.get(traceId) ?? [],
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function readSpans({ resourceSpans }: Export): SeenSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = textOf(resource.attributes, 'service.name') ?? '';
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId = '', kind, attributes = [], links = [] }) => ({
        ...{ service, name, traceId, spanId, parentSpanId, kind },
        scope: scope?.name ?? '',
        attributes: attributes.map(attribute => attribute.key),
        pool: textOf(attributes, 'db.client.connection.pool.name'),
        links: links.map(link => link.traceId),
      })),
    );
  });
}

function textOf(attributes: readonly Attribute[], key: string): string | undefined {
  return attributes.find(attribute => attribute.key === key)?.value.stringValue;
}
