/** V8's memory limits in the deployment, for processes that run outside of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from './processes.ts';

type Container = { command?: string[]; resources?: { limits?: { memory?: string } } };
type Workload = { kind?: string; spec?: { template?: { spec?: { containers?: Container[] } } } };

/** The share of the container's limit that the image gives to the old generation (`deploy/Dockerfile`). */
const oldSpaceShare = 0.5;

/**
 * The young generation that V8 chooses in a container of this many MiB, as the largest size of a semi-space.
 * Read from `heap_size_limit` of Node 24.21 in cgroups of these sizes: 195 MiB = 192 + 3 x 1, and 432 MiB =
 * 384 + 3 x 16.
 */
const semiSpaceMib: Readonly<Record<number, number>> = { 384: 1, 768: 16 };

/**
 * `NODE_OPTIONS` with the limits of the service's container in `deploy/k8s`. @throws for a limit that was
 * never measured
 */
export function nodeOptionsOf(service: string): string {
  const { command = [], resources } = containerOf(service);
  const [, limit] = /^(\d+)Mi$/.exec(resources?.limits?.memory ?? '') ?? [];
  const semiSpace = semiSpaceMib[Number(limit)];
  if (semiSpace === undefined) {
    throw new Error(
      `${service} has a limit of ${resources?.limits?.memory}: measure the semi-space that V8 takes there.`,
    );
  }
  const flags = command.filter(word => word.startsWith('--'));
  const young = flags.some(flag => flag.startsWith('--max-semi-space-size'))
    ? []
    : [`--max-semi-space-size=${semiSpace}`];
  return [`--max-old-space-size=${Number(limit) * oldSpaceShare}`, ...young, ...flags].join(' ');
}

function containerOf(service: string): Container {
  const path = join(repositoryRoot, 'deploy/k8s/base/services', `${service}.yaml`);
  const documents = parseAllDocuments(readFileSync(path, 'utf8')).map(one => one.toJS() as Workload | null);
  const workload = documents.find(one => one?.kind === 'Deployment');
  const container = workload?.spec?.template?.spec?.containers?.[0];
  if (!container) throw new Error(`${path} holds no Deployment with a container`);
  return container;
}
