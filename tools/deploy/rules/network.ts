/**
 * Only required traffic is allowed, as derived from the settings: a process with `CONTENT_URL` calls content,
 * and one without must not reach it.
 */
import {
  environmentOf,
  type LabelSelector,
  type Labels,
  type Manifest,
  type NetworkPeer,
  type NetworkPort,
  ofKind,
  type Rule,
  selects,
  type Workload,
  workloadsOf,
} from '../manifests.ts';

const defaultDeny: Rule = {
  name: 'default deny',
  find(manifests) {
    const namespaces = new Set(workloadsOf(manifests).map(({ manifest }) => manifest.metadata.namespace));
    const denied = ofKind(manifests, 'NetworkPolicy').filter(
      ({ spec }) =>
        Object.keys(spec?.podSelector ?? { none: true }).length === 0 &&
        spec?.policyTypes?.includes('Ingress') &&
        spec.policyTypes.includes('Egress') &&
        !spec.ingress &&
        !spec.egress,
    );
    return [...namespaces]
      .filter(name => !denied.some(({ metadata }) => metadata.namespace === name))
      .map(name => `Namespace ${name} has no NetworkPolicy that denies everything by default`);
  },
};

type Way = { peers: readonly NetworkPeer[]; ports: readonly NetworkPort[] };

function waysOut({ labels }: Workload, manifests: readonly Manifest[]): Way[] {
  return policiesFor(labels, manifests).flatMap(spec =>
    (spec.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, ports })),
  );
}

function waysIn({ labels }: Workload, manifests: readonly Manifest[]): Way[] {
  return policiesFor(labels, manifests).flatMap(spec =>
    (spec.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, ports })),
  );
}

function policiesFor(labels: Labels, manifests: readonly Manifest[]) {
  return ofKind(manifests, 'NetworkPolicy').flatMap(({ spec }) =>
    spec && selects(spec.podSelector, labels) ? [spec] : [],
  );
}

/** Peers and ports of a rule; leaving out either would allow all of them. */
const noOpenWays: Rule = {
  name: 'no way that is open to all',
  find: manifests =>
    ofKind(manifests, 'NetworkPolicy').flatMap(({ metadata, spec }) => {
      const ways = [
        ...(spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports })),
        ...(spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports })),
      ];
      return ways.flatMap(({ peers, ports }) => [
        ...(peers?.length ? [] : [`NetworkPolicy ${metadata.name} names no peer`]),
        ...(ports?.length ? [] : [`NetworkPolicy ${metadata.name} names no port`]),
        ...(peers ?? []).flatMap(({ ipBlock }) => privateHoles(metadata.name, ipBlock)),
      ]);
    }),
};

/** The internet, excluding the cluster and a cloud's metadata address. */
function privateHoles(name: string, block: NetworkPeer['ipBlock']): string[] {
  const needed: Record<string, readonly string[]> = {
    '0.0.0.0/0': ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    '::/0': ['fc00::/7', 'fe80::/10'],
  };
  return (needed[block?.cidr ?? ''] ?? [])
    .filter(cidr => !block?.except?.includes(cidr))
    .map(cidr => `NetworkPolicy ${name} opens ${cidr}`);
}

function opens({ ports }: Way, port: number): boolean {
  return ports.some(range => Number(range.port) <= port && port <= Number(range.endPort ?? range.port));
}

function leadsTo(way: Way, labels: Labels): boolean {
  return way.peers.some(
    ({ podSelector, namespaceSelector }) => !namespaceSelector && selects(podSelector, labels),
  );
}

function mayCall(from: Workload, to: Workload, port: number, manifests: readonly Manifest[]): boolean {
  return (
    waysOut(from, manifests).some(way => opens(way, port) && leadsTo(way, to.labels)) &&
    waysIn(to, manifests).some(way => opens(way, port) && leadsTo(way, from.labels))
  );
}

const settingsOf = (workload: Workload, manifests: readonly Manifest[]): [string, string][] =>
  workload.containers.flatMap(container => [...environmentOf(container, manifests)]);

/** The port at which `from` is configured to call `to`; undefined when no setting names a Service of it. */
function calledPort(from: Workload, to: Workload, manifests: readonly Manifest[]): number | undefined {
  const services = ofKind(manifests, 'Service').filter(({ spec }) =>
    selects({ matchLabels: spec?.selector as Labels } satisfies LabelSelector, to.labels),
  );
  for (const [, value] of settingsOf(from, manifests)) {
    const [, host, port] = /^http:\/\/([\w-]+):(\d+)$/.exec(value) ?? [];
    if (services.some(({ metadata }) => metadata.name === host)) return Number(port);
  }
  return undefined;
}

const apiPort = 8080;

const waysBetween: Rule = {
  name: 'ways between services as the settings say',
  find(manifests) {
    const workloads = workloadsOf(manifests);
    return workloads.flatMap(from =>
      workloads.flatMap(to => {
        if (from === to) return [];
        const wanted = calledPort(from, to, manifests);
        const isOpen = mayCall(from, to, wanted ?? apiPort, manifests);
        if (wanted !== undefined && !isOpen) return [`${from.id} is told to call ${to.id} and may not`];
        return wanted === undefined && isOpen ? [`${from.id} may call ${to.id} and is never told to`] : [];
      }),
    );
  },
};

const monitoring = 'monitoring';
const places: Readonly<Record<string, string>> = { 'kube-system': 'dns', [monitoring]: 'collector' };

/** Addresses that API callers choose, so that no setting names them. */
const callsAnywhere = new Set(['automation']);

/** Ports outside of the namespace that a process needs, by its settings. */
function outsidePorts(workload: Workload, manifests: readonly Manifest[]): Set<string> {
  const settings = settingsOf(workload, manifests);
  const names = new Set(settings.map(([name]) => name.replace(/_FILE$/, '')));
  const ports = new Set(['dns 53']);
  if (names.has('DATABASE_URL')) ports.add('store 5432');
  if (names.has('REDIS_URL')) ports.add('store 6379');
  for (const [name, value] of settings) {
    if (name === 'KAFKA_BROKERS') ports.add(`store ${value.split(',')[0]?.split(':')[1]}`);
    if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') ports.add(collectorPort(value));
    else if (name !== 'PUBLIC_URL' && value.startsWith('https://')) ports.add('public 443');
  }
  if (callsAnywhere.has(workload.labels['app.kubernetes.io/name'] ?? '')) ports.add('public 1');
  return ports;
}

/**
 * A collector in the cluster is in the namespace that scrapes the metrics; one outside is reached like a
 * platform.
 */
function collectorPort(endpoint: string): string {
  const { hostname, port, protocol } = new URL(endpoint);
  if (hostname.split('.')[1] === monitoring) return `collector ${port || 80}`;
  return `public ${port || (protocol === 'https:' ? 443 : 80)}`;
}

function openOutside(workload: Workload, manifests: readonly Manifest[]): Set<string> {
  const open = waysOut(workload, manifests).flatMap(({ peers, ports }) =>
    peers.flatMap(({ namespaceSelector, ipBlock }) => {
      const place = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
      if (!ipBlock && !place) return [];
      const kind = ipBlock ? 'public' : (places[place ?? ''] ?? 'store');
      return ports.map(({ port }) => `${kind} ${port}`);
    }),
  );
  return new Set(open);
}

const waysOutside: Rule = {
  name: 'ways outside as the settings say',
  find: manifests =>
    workloadsOf(manifests).flatMap(workload => {
      const needed = outsidePorts(workload, manifests);
      const open = openOutside(workload, manifests);
      return [
        ...[...needed].filter(port => !open.has(port)).map(port => `${workload.id} may not reach ${port}`),
        ...[...open]
          .filter(port => !needed.has(port))
          .map(port => `${workload.id} may reach ${port} for nothing`),
      ];
    }),
};

export const networkRules: readonly Rule[] = [defaultDeny, noOpenWays, waysBetween, waysOutside];
