/** Workers are scaled by the lag of the groups that they really have. */
import { consumers as analyticsConsumers } from '../../../services/analytics/src/consumers/registry.ts';
import { automationConsumers } from '../../../services/automation/src/consumers/registry.ts';
import { consumers as contentConsumers } from '../../../services/content/src/consumers/registry.ts';
import { consumers as schedulingConsumers } from '../../../services/scheduling/src/consumers/registry.ts';
import { processesOf, type Rule } from '../manifests.ts';
import { scaleOf } from './availability.ts';

const now = () => new Date();
const registries = {
  // Its effects are never called here, so they need nothing to work with.
  content: contentConsumers({ now } as unknown as Parameters<typeof contentConsumers>[0]),
  scheduling: schedulingConsumers(now),
  automation: automationConsumers(now),
  analytics: analyticsConsumers,
};

/** Of each topic (packages/shared/src/bus/kafka.ts). */
const partitions = 6;

export const consumerGroups: Rule = {
  name: 'workers scaled by the lag of their groups',
  find: manifests =>
    processesOf(manifests)
      .filter(({ labels }) => labels['app.kubernetes.io/component'] === 'worker')
      .flatMap(workload => {
        const scale = scaleOf(workload, manifests);
        const service = workload.labels['app.kubernetes.io/name'] as keyof typeof registries;
        const wanted = (registries[service] ?? []).map(({ name }) => `${service}.${name}`);
        const triggers = (scale?.by.spec?.triggers ?? []).filter(({ type }) => type === 'kafka');
        const named = triggers.map(({ metadata }) => metadata.consumerGroup ?? '');
        return [
          ...wanted
            .filter(group => !named.includes(group))
            .map(group => `${workload.id} is not scaled by the group ${group}`),
          ...named
            .filter(group => !wanted.includes(group))
            .map(group => `${workload.id} is scaled by ${group}, which it has not`),
          ...(scale && scale.max > partitions
            ? [`${workload.id} may have ${scale.max} replicas for ${partitions} partitions`]
            : []),
        ];
      }),
};
