/** Rules for pods: the restricted standard of Kubernetes, and a little more. */
import { type Container, ofKind, type Rule, type Workload, workloadsOf } from '../manifests.ts';

/** A rule for a single workload. */
function forEachWorkload(name: string, find: (workload: Workload) => string[]): Rule {
  return {
    name,
    find: manifests =>
      workloadsOf(manifests).flatMap(workload => find(workload).map(text => `${workload.id}: ${text}`)),
  };
}

/** A rule for a single container. */
function forEachContainer(name: string, find: (container: Container, workload: Workload) => string[]): Rule {
  return forEachWorkload(name, workload =>
    workload.containers.flatMap(container =>
      find(container, workload).map(text => `container ${container.name} ${text}`),
    ),
  );
}

const notRoot = forEachContainer('not root', ({ securityContext: own }, { pod }) => {
  const user = own?.runAsUser ?? pod.securityContext?.runAsUser;
  const isNonRoot = own?.runAsNonRoot ?? pod.securityContext?.runAsNonRoot;
  return [
    ...(isNonRoot === true ? [] : ['lacks runAsNonRoot: true']),
    ...(user === undefined || user === 0 ? ['lacks a runAsUser other than 0'] : []),
  ];
});

const seccomp = forEachContainer('seccomp profile', ({ securityContext: own }, { pod }) => {
  const profile = own?.seccompProfile ?? pod.securityContext?.seccompProfile;
  return profile?.type === 'RuntimeDefault' ? [] : ['lacks seccompProfile RuntimeDefault'];
});

const noEscalation = forEachContainer('no escalation', ({ securityContext: own }) => [
  ...(own?.allowPrivilegeEscalation === false ? [] : ['lacks allowPrivilegeEscalation: false']),
  ...(own?.privileged === true ? ['is privileged'] : []),
]);

const noCapabilities = forEachContainer('no capabilities', ({ securityContext: own }) => [
  ...(own?.capabilities?.drop?.includes('ALL') ? [] : ['does not drop ALL capabilities']),
  ...(own?.capabilities?.add?.length ? [`adds ${own.capabilities.add.join(', ')}`] : []),
]);

const readOnlyRoot = forEachContainer('read-only root', ({ securityContext: own }) =>
  own?.readOnlyRootFilesystem === true ? [] : ['lacks readOnlyRootFilesystem: true'],
);

const nothingOfTheHost = forEachWorkload('nothing of the host', ({ pod }) => [
  ...(pod.hostNetwork || pod.hostPID || pod.hostIPC ? ['shares a namespace of its node'] : []),
  ...(pod.volumes ?? []).flatMap(({ name, hostPath }) =>
    hostPath ? [`${name} is a folder of its node`] : [],
  ),
]);

const requestsAndLimits = forEachContainer('requests and limits', ({ resources }) =>
  (['requests', 'limits'] as const).flatMap(side =>
    (['cpu', 'memory'] as const).flatMap(what =>
      resources?.[side]?.[what] === undefined ? [`has no ${side}.${what}`] : [],
    ),
  ),
);

/** A tag may point to another image tomorrow; a digest cannot. */
const digests = forEachContainer('image by digest', ({ image = '' }) =>
  /@sha256:[0-9a-f]{64}$/.test(image) ? [] : [`is of ${image || 'no image'}: name it by digest`],
);

/** A separate service account that exists, mounts no token, and belongs to no other service. */
const ownAccounts: Rule = {
  name: 'service account of its own',
  find(manifests) {
    const accounts = new Set(ofKind(manifests, 'ServiceAccount').map(account => account.metadata.name));
    const owners = new Map<string, string>();
    return workloadsOf(manifests).flatMap(({ id, pod, labels }) => {
      const account = pod.serviceAccountName ?? 'default';
      const service = labels['app.kubernetes.io/name'] ?? id;
      const owner = owners.get(account) ?? service;
      owners.set(account, owner);
      return [
        ...(pod.automountServiceAccountToken === false ? [] : [`${id} gets a token of the cluster`]),
        ...(accounts.has(account) ? [] : [`${id}: there is no ServiceAccount ${account}`]),
        ...(owner === service ? [] : [`${id} has the ServiceAccount of ${owner}`]),
      ];
    });
  },
};

const restrictedNamespace: Rule = {
  name: 'restricted namespace',
  find(manifests) {
    const restricted = new Set(
      ofKind(manifests, 'Namespace')
        .filter(({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted')
        .map(({ metadata }) => metadata.name),
    );
    const used = new Set(
      workloadsOf(manifests).map(({ manifest }) => manifest.metadata.namespace ?? 'default'),
    );
    return [...used]
      .filter(name => !restricted.has(name))
      .map(name => `Namespace ${name} does not enforce the restricted standard`);
  },
};

export const podRules: readonly Rule[] = [
  notRoot,
  seccomp,
  noEscalation,
  noCapabilities,
  readOnlyRoot,
  nothingOfTheHost,
  requestsAndLimits,
  digests,
  ownAccounts,
  restrictedNamespace,
];
