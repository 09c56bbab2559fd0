/** Defects in availability. */
import { find, type Plant, podOf, without } from './plant.ts';

export const availabilityPlants: readonly Plant[] = [
  {
    rule: 'three probes',
    defect: 'no startup probe',
    says: /gateway has no startup probe/,
    plant: all => void delete podOf(all, 'gateway').container.startupProbe,
  },
  {
    rule: 'three probes',
    defect: 'a liveness probe that asks the stores',
    says: /content-api has a liveness probe that does not ask \/livez/,
    plant: all =>
      void Object.assign(podOf(all, 'content-api').container.livenessProbe?.httpGet ?? {}, {
        path: '/readyz',
      }),
  },
  {
    rule: 'disruption budget',
    defect: 'missing',
    says: /content-worker has 0 PodDisruptionBudgets/,
    plant: all => without(all, 'PodDisruptionBudget', 'content-worker'),
  },
  {
    rule: 'disruption budget',
    defect: 'of no pod',
    says: /PodDisruptionBudget gateway is for no pod/,
    plant: all =>
      void Object.assign(find(all, 'PodDisruptionBudget', 'gateway').spec, {
        selector: { matchLabels: { a: 'b' } },
      }),
  },
  {
    rule: 'at least two replicas, scaled',
    defect: 'a single one',
    says: /automation-worker may have 1 replica/,
    plant: all =>
      void Object.assign(find(all, 'ScaledObject', 'automation-worker').spec, { minReplicaCount: 1 }),
  },
  {
    rule: 'at least two replicas, scaled',
    defect: 'no autoscaler',
    says: /gateway is scaled by nothing/,
    plant: all => without(all, 'HorizontalPodAutoscaler', 'gateway'),
  },
  {
    rule: 'at least two replicas, scaled',
    defect: 'a number of replicas beside the autoscaler',
    says: /gateway has replicas beside/,
    plant: all => void Object.assign(find(all, 'Deployment', 'gateway').spec, { replicas: 1 }),
  },
  {
    rule: 'spread over nodes',
    defect: 'over zones alone',
    says: /gateway is not spread/,
    plant: all => void podOf(all, 'gateway').pod.topologySpreadConstraints?.shift(),
  },
  {
    rule: 'graceful stop',
    defect: 'killed while it drains',
    says: /gateway is killed after 30 s, needs 60 s/,
    plant: all => void Object.assign(podOf(all, 'gateway').pod, { terminationGracePeriodSeconds: 30 }),
  },
  {
    rule: 'graceful stop',
    defect: 'no wait before the end',
    says: /content-api is behind a Service and has no preStop/,
    plant: all => void delete podOf(all, 'content-api').container.lifecycle,
  },
  {
    rule: 'workers scaled by the lag of their groups',
    defect: 'a group that nobody has',
    says: /automation-worker is scaled by automation\.gone/,
    plant(all) {
      const [trigger] = find(all, 'ScaledObject', 'automation-worker').spec.triggers ?? [];
      Object.assign(trigger?.metadata ?? {}, { consumerGroup: 'automation.gone' });
    },
  },
];
