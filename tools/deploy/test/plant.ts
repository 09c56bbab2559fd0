/** Selects one object of the rendered manifests in order to break it. */
import { type Manifest, type Spec, workloadsOf } from '../manifests.ts';

/** A defect and the rule's expected complaint. `plant` changes the manifests, or returns others. */
export type Plant = {
  rule: string;
  defect: string;
  says: RegExp;
  plant(manifests: Manifest[]): Manifest[] | undefined;
};

export function find(manifests: Manifest[], kind: string, name: string): Manifest & { spec: Spec } {
  const found = manifests.find(one => one.kind === kind && one.metadata.name === name);
  if (!found?.spec) throw new Error(`there is no ${kind} ${name}`);
  return found as Manifest & { spec: Spec };
}

export function without(manifests: Manifest[], kind: string, name: string): Manifest[] {
  find(manifests, kind, name);
  return manifests.filter(one => one.kind !== kind || one.metadata.name !== name);
}

export function podOf(manifests: Manifest[], name: string) {
  const found = workloadsOf(manifests).find(({ manifest }) => manifest.metadata.name === name);
  const [container] = found?.pod.containers ?? [];
  if (!found || !container) throw new Error(`there is no workload ${name}`);
  return { pod: found.pod, container, labels: found.labels };
}

export function settingsNamed(manifests: Manifest[], name: string): Record<string, string> {
  const found = manifests.find(one => one.kind === 'ConfigMap' && one.metadata.name.startsWith(`${name}-`));
  if (!found?.data) throw new Error(`there is no ConfigMap ${name}`);
  return found.data as Record<string, string>;
}
