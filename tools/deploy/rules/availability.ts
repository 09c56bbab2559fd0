/** Rules for availability: probes, budgets, more than one replica, spread, a shutdown that loses nothing. */
import {
  type LabelSelector,
  type Labels,
  type Manifest,
  ofKind,
  type Probe,
  processesOf,
  type Rule,
  selects,
  type Workload,
} from '../manifests.ts';

/** The product shuts down within 15 s (D-50); the rest is for a node under load. */
const shutdownSeconds = 15;
const marginSeconds = 5;

function forEachProcess(
  name: string,
  find: (workload: Workload, manifests: readonly Manifest[]) => string[],
): Rule {
  return {
    name,
    find: manifests =>
      processesOf(manifests).flatMap(workload =>
        find(workload, manifests).map(text => `${workload.id} ${text}`),
      ),
  };
}

const probes = forEachProcess('three probes', ({ pod }) =>
  pod.containers.flatMap(({ startupProbe, livenessProbe, readinessProbe }) => [
    ...probeComplaints('startup', startupProbe, '/livez'),
    ...probeComplaints('liveness', livenessProbe, '/livez'),
    ...probeComplaints('readiness', readinessProbe, '/readyz'),
  ]),
);

function probeComplaints(name: string, probe: Probe | undefined, path: string): string[] {
  if (!probe) return [`has no ${name} probe`];
  return probe.httpGet?.path === path ? [] : [`has a ${name} probe that does not ask ${path}`];
}

const budgets: Rule = {
  name: 'disruption budget',
  find(manifests) {
    const budgetsOf = (labels: Labels) =>
      ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
        selects(spec?.selector as LabelSelector, labels),
      );
    const processes = processesOf(manifests);
    const missing = processes.flatMap(({ id, labels }) => {
      const count = budgetsOf(labels).length;
      return count === 1 ? [] : [`${id} has ${count} PodDisruptionBudgets instead of one`];
    });
    const wrong = ofKind(manifests, 'PodDisruptionBudget').flatMap(({ metadata, spec }) => [
      ...(processes.some(({ labels }) => selects(spec?.selector as LabelSelector, labels))
        ? []
        : [`PodDisruptionBudget ${metadata.name} is for no pod`]),
      ...(spec?.maxUnavailable === 1 ? [] : [`PodDisruptionBudget ${metadata.name} lacks maxUnavailable: 1`]),
    ]);
    return [...missing, ...wrong];
  },
};

/** The minimum and maximum replicas of a process, by its autoscaler; undefined without one. */
export function scaleOf(
  { manifest }: Workload,
  manifests: readonly Manifest[],
): { by: Manifest; min: number; max: number } | undefined {
  const by = manifests.find(
    ({ kind, spec }) =>
      ['HorizontalPodAutoscaler', 'ScaledObject'].includes(kind) &&
      spec?.scaleTargetRef?.name === manifest.metadata.name,
  );
  if (!by) return undefined;
  const { minReplicas = 1, maxReplicas = 0, minReplicaCount = 0, maxReplicaCount = 100 } = by.spec ?? {};
  return by.kind === 'ScaledObject'
    ? { by, min: minReplicaCount, max: maxReplicaCount }
    : { by, min: minReplicas, max: maxReplicas };
}

const atLeastTwo = forEachProcess('at least two replicas, scaled', (workload, manifests) => {
  const scale = scaleOf(workload, manifests);
  if (!scale) return ['is scaled by nothing'];
  const kind =
    workload.labels['app.kubernetes.io/component'] === 'worker' ? 'ScaledObject' : 'HorizontalPodAutoscaler';
  return [
    ...(scale.by.kind === kind ? [] : [`is scaled by a ${scale.by.kind} instead of a ${kind}`]),
    ...(scale.min >= 2 ? [] : [`may have ${scale.min} replica`]),
    ...(scale.max > scale.min ? [] : [`cannot grow beyond ${scale.min} replicas`]),
    // Every apply would reset it to this number.
    ...(workload.manifest.spec?.replicas === undefined ? [] : ['has replicas beside its autoscaler']),
    ...(isScaledByCpu(scale.by) ? [] : ['is not scaled by CPU']),
  ];
});

function isScaledByCpu({ spec }: Manifest): boolean {
  const byMetric = (spec?.metrics ?? []).some(({ resource }) => resource?.name === 'cpu');
  return byMetric || (spec?.triggers ?? []).some(({ type }) => type === 'cpu');
}

const spread = forEachProcess('spread over nodes', ({ pod, labels }) => {
  const spreads = (pod.topologySpreadConstraints ?? []).some(
    ({ topologyKey, labelSelector }) =>
      topologyKey === 'kubernetes.io/hostname' && selects(labelSelector, labels),
  );
  return spreads ? [] : ['is not spread over nodes'];
});

/** A pod behind a Service must keep answering until no traffic is routed to it. */
const gracefulStop = forEachProcess('graceful stop', ({ pod, labels }, manifests) => {
  const sleeps = pod.containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0);
  const isServed = ofKind(manifests, 'Service').some(({ spec }) =>
    selects({ matchLabels: spec?.selector as Labels }, labels),
  );
  const neededSeconds = Math.max(...sleeps) + shutdownSeconds + marginSeconds;
  const givenSeconds = pod.terminationGracePeriodSeconds ?? 30;
  return [
    ...(isServed && Math.min(...sleeps) === 0 ? ['is behind a Service and has no preStop sleep'] : []),
    ...(givenSeconds >= neededSeconds ? [] : [`is killed after ${givenSeconds} s, needs ${neededSeconds} s`]),
  ];
});

export const availabilityRules: readonly Rule[] = [probes, budgets, atLeastTwo, spread, gracefulStop];
