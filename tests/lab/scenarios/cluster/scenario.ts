/**
 * `deploy/k8s` applied to a real API server with etcd: validation, defaulting, admission with Pod Security
 * `restricted`, a quota and a limit range, the definitions of KEDA and of the Prometheus operator. No
 * controller, no scheduler and no kubelet: no pod starts.
 */
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findDefinitions, overlays, render } from '../../../../tools/deploy/kubernetes.ts';
import { type Manifest, type Workload, workloadsOf } from '../../../../tools/deploy/manifests.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { buildControlPlane, type ControlPlane, startControlPlane } from './control-plane.ts';

const namespace = 'hookline';
const refused = /forbidden: violates PodSecurity "restricted:latest"/;

/** Every container must say what it asks for, within these. */
const bounds = {
  'requests.cpu': '40',
  'requests.memory': '40Gi',
  'limits.memory': '60Gi',
  pods: '60',
};

type Kubectl = ControlPlane['kubectl'];

async function prove(folder: string): Promise<Outcome> {
  const built = await buildControlPlane();
  const cluster = await startControlPlane(built, folder);
  const complaints: string[] = [];
  try {
    const { kubectl } = cluster;
    for (const file of await findDefinitions()) await must(kubectl, ['apply', '--server-side', '-f', file]);
    await must(kubectl, ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
    const kustomize = [join(built, 'kubectl'), 'kustomize'];
    const manifests = (await Promise.all(overlays.map(overlay => render(overlay, kustomize)))).flat();
    const dry = await applyAll(kubectl, manifests, true, complaints);
    const applied = await applyAll(kubectl, manifests, false, complaints);
    const again = await kubectl(['diff', '--server-side', '-f', '-'], textOf(manifests));
    if (again.code !== 0) complaints.push(`a second apply changes something: ${again.output.slice(0, 500)}`);
    await setBounds(kubectl);
    const workloads = workloadsOf(manifests);
    const pods = await admitPods(kubectl, workloads, complaints);
    const figures = {
      kubernetes: cluster.version,
      objects: manifests.length,
      'accepted in a dry run': dry,
      accepted: applied,
      'pods admitted': `${pods} of ${workloads.length}`,
      wrong: complaints.length,
    };
    for (const complaint of complaints) console.log(`  ${complaint}`);
    console.log(`${applied} of ${manifests.length} objects accepted`);
    return { isProven: complaints.length === 0 && applied === manifests.length, figures };
  } finally {
    await cluster.stop();
  }
}

/** @returns the number of accepted objects; a warning is a complaint too */
async function applyAll(
  kubectl: Kubectl,
  manifests: readonly Manifest[],
  isDry: boolean,
  complaints: string[],
): Promise<number> {
  const flags = ['apply', '--server-side', '--validate=strict', '-f', '-'];
  const namespaces = manifests.filter(({ kind }) => kind === 'Namespace');
  // A dry run does not create what the others are validated in.
  await must(kubectl, flags, textOf(namespaces));
  const { output } = await kubectl(isDry ? [...flags, '--dry-run=server'] : flags, textOf(manifests));
  const lines = output.trim().split('\n');
  const accepted = lines.filter(line => line.includes('serverside-applied'));
  complaints.push(...lines.filter(line => !line.includes('serverside-applied')));
  return accepted.length;
}

/** The controllers that would count a quota are not here: its status is written as they write it. */
async function setBounds(kubectl: Kubectl): Promise<void> {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'bounds', namespace },
    spec: { hard: bounds },
  };
  const limits = {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'bounds', namespace },
    spec: { limits: [{ type: 'Container', max: { memory: '1Gi' }, min: { memory: '64Mi' } }] },
  };
  await must(
    kubectl,
    ['apply', '--server-side', '-f', '-'],
    [quota, limits].map(one => stringify(one)).join('---\n'),
  );
  const used = Object.fromEntries(Object.keys(bounds).map(name => [name, '0']));
  const patch = JSON.stringify({ status: { hard: bounds, used } });
  const target = ['-n', namespace, 'resourcequota', 'bounds', '--subresource=status', '--type=merge'];
  await must(kubectl, ['patch', ...target, '-p', patch]);
}

/** The pods of the workloads as their controllers would make them; and one that must be refused. */
async function admitPods(
  kubectl: Kubectl,
  workloads: readonly Workload[],
  complaints: string[],
): Promise<number> {
  const create = (pod: object) => kubectl(['create', '--dry-run=server', '-f', '-'], stringify(pod));
  let admitted = 0;
  for (const { id, manifest, labels, pod } of workloads) {
    const metadata = { name: manifest.metadata.name, namespace, labels };
    const { code, output } = await create({ apiVersion: 'v1', kind: 'Pod', metadata, spec: pod });
    if (code === 0 && !output.includes('Warning')) admitted += 1;
    else complaints.push(`the pod of ${id}: ${output.trim()}`);
  }
  const [first] = workloads;
  if (!first) return admitted;
  const metadata = { name: 'refused', namespace };
  const asRoot = { ...first.pod, securityContext: { runAsUser: 0, runAsNonRoot: false } };
  const root = await create({ apiVersion: 'v1', kind: 'Pod', metadata, spec: asRoot });
  if (!refused.test(root.output)) complaints.push(`a pod that runs as root was not refused: ${root.output}`);
  const bare = first.pod.containers.map(({ resources, ...rest }) => rest);
  const boundless = await create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { ...first.pod, containers: bare },
  });
  if (!boundless.output.includes('failed quota'))
    complaints.push(`a pod without requests was not refused: ${boundless.output}`);
  return admitted;
}

function textOf(manifests: readonly Manifest[]): string {
  return manifests.map(one => stringify(one)).join('---\n');
}

/** @throws Error with what kubectl printed */
async function must(kubectl: Kubectl, args: readonly string[], input?: string): Promise<void> {
  const { code, output } = await kubectl(args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ').slice(0, 200)}: ${output.trim().slice(-1_000)}`);
}

export const scenario = defineScenario({
  about:
    'the manifests applied to a real API server: admission under Pod Security restricted, quota and limits',
  takes: '1 minute; compiling Kubernetes before the first run takes 6 minutes or more. Needs Go 1.26',
  run: ({ folder }) => prove(folder),
});
