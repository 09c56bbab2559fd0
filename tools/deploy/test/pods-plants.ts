/** Defects in pods. */
import { type Plant, podOf } from './plant.ts';

export const podsPlants: readonly Plant[] = [
  {
    rule: 'not root',
    defect: 'user 0',
    says: /gateway.*runAsUser other than 0/,
    plant: all => void Object.assign(podOf(all, 'gateway').security, { runAsUser: 0 }),
  },
  {
    rule: 'not root',
    defect: 'runAsNonRoot taken away',
    says: /content-worker.*runAsNonRoot/,
    plant: all => void delete podOf(all, 'content-worker').pod.securityContext?.runAsNonRoot,
  },
  {
    rule: 'seccomp profile',
    defect: 'Unconfined',
    says: /migrate.*RuntimeDefault/,
    plant: all =>
      void Object.assign(podOf(all, 'migrate').security, { seccompProfile: { type: 'Unconfined' } }),
  },
  {
    rule: 'no escalation',
    defect: 'not refused',
    says: /gateway.*allowPrivilegeEscalation/,
    plant: all => void delete podOf(all, 'gateway').security.allowPrivilegeEscalation,
  },
  {
    rule: 'no capabilities',
    defect: 'one added',
    says: /adds NET_ADMIN/,
    plant: all =>
      void Object.assign(podOf(all, 'gateway').security, {
        capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] },
      }),
  },
  {
    rule: 'read-only root',
    defect: 'writable',
    says: /scheduling-api.*readOnlyRootFilesystem/,
    plant: all =>
      void Object.assign(podOf(all, 'scheduling-api').security, { readOnlyRootFilesystem: false }),
  },
  {
    rule: 'nothing of the host',
    defect: 'a folder of the node',
    says: /is a folder of its node/,
    plant: all => void podOf(all, 'gateway').pod.volumes?.push({ name: 'node', hostPath: { path: '/' } }),
  },
  {
    rule: 'requests and limits',
    defect: 'no memory limit',
    says: /analytics-api.*no limits\.memory/,
    plant: all => void delete podOf(all, 'analytics-api').container.resources?.limits?.memory,
  },
  {
    rule: 'image by digest',
    defect: 'a tag',
    says: /content-api.*hookline\/content:0\.1\.0/,
    plant: all =>
      void Object.assign(podOf(all, 'content-api').container, { image: 'hookline/content:0.1.0' }),
  },
  {
    rule: 'service account of its own',
    defect: "another's",
    says: /scheduling-api has the ServiceAccount of content/,
    plant: all => void Object.assign(podOf(all, 'scheduling-api').pod, { serviceAccountName: 'content' }),
  },
  {
    rule: 'service account of its own',
    defect: 'a token of the cluster',
    says: /gateway gets a token/,
    plant: all => void delete podOf(all, 'gateway').pod.automountServiceAccountToken,
  },
  {
    rule: 'restricted namespace',
    defect: 'not enforced',
    says: /Namespace hookline/,
    plant: all => all.filter(({ kind }) => kind !== 'Namespace'),
  },
];
