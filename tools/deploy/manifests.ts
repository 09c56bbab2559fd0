/**
 * Rendered Kubernetes manifests as the rules read them: fields that they use are typed, the rest passes
 * through.
 */
import { parseAllDocuments } from 'yaml';
import type { RuleFile } from '../alerts/rules.ts';

export type Labels = Readonly<Record<string, string>>;
export type LabelSelector = {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};

type Container = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: unknown } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: unknown }[];
  ports?: { name?: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
};

type PodSpec = {
  serviceAccountName?: string;
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string; secret?: { secretName: string } }[];
};

type PodTemplate = { metadata?: { labels?: Labels }; spec: PodSpec };

/** For every kind in use, the fields of its `spec` that the rules read. */
export type Spec = {
  strategy?: { rollingUpdate?: { maxSurge?: number | string } };
  template?: PodTemplate;
  jobTemplate?: { spec: { template: PodTemplate } };
  selector?: LabelSelector;
  scaleTargetRef?: { kind?: string; name: string };
  minReplicas?: number;
  maxReplicas?: number;
  minReplicaCount?: number;
  maxReplicaCount?: number;
  triggers?: { type: string; metadata: Record<string, string> }[];
  groups?: RuleFile['groups'];
  podMetricsEndpoints?: { port?: string; relabelings?: { targetLabel?: string; replacement?: string }[] }[];
};

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  data?: Readonly<Record<string, string>>;
  spec?: Spec;
};

/** One property of a set of manifests. `find` returns its violations, a sentence each. */
export type Rule = { name: string; find(manifests: readonly Manifest[]): string[] };

export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map(document => document.toJS() as Manifest);
}

/** Workloads that run pods: a Deployment, a Job or a CronJob. */
export type Workload = {
  id: string;
  manifest: Manifest;
  isProcess: boolean;
  labels: Labels;
  pod: PodSpec;
  containers: readonly Container[];
};

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests.flatMap(manifest => {
    const template = manifest.spec?.template ?? manifest.spec?.jobTemplate?.spec.template;
    if (!template) return [];
    const pod = template.spec;
    return {
      id: idOf(manifest),
      manifest,
      isProcess: !manifest.kind.endsWith('Job'),
      labels: template.metadata?.labels ?? {},
      pod,
      containers: [...(pod.initContainers ?? []), ...pod.containers],
    };
  });
}

/** Permanent workloads, which need probes, budgets and more than one replica. */
export function processesOf(manifests: readonly Manifest[]): Workload[] {
  return workloadsOf(manifests).filter(workload => workload.isProcess);
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter(manifest => manifest.kind === kind);
}

function idOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

/** True when a selector matches a pod with these labels; an empty one matches all, a missing one none. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return false;
  const byLabels = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  const byExpressions = (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    if (operator === 'In') return values.includes(labels[key] ?? '');
    throw new Error(`the selector's operator ${operator} is not known to the rules: use In`);
  });
  return byLabels && byExpressions;
}

/** The environment of a container, from its ConfigMaps and its own variables. */
export function environmentOf(container: Container, manifests: readonly Manifest[]): Map<string, string> {
  const maps = new Map(ofKind(manifests, 'ConfigMap').map(map => [map.metadata.name, map.data ?? {}]));
  const given = (container.envFrom ?? []).flatMap(({ configMapRef }) =>
    Object.entries(maps.get(configMapRef?.name ?? '') ?? {}),
  );
  const own = (container.env ?? []).map(({ name, value = '' }): [string, string] => [name, value]);
  return new Map([...given, ...own]);
}

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
