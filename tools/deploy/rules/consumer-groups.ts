/** Workers scale by the lag of the consumer groups that they really have. */
import { analytics } from '../../../services/analytics/src/service.ts';
import { automation } from '../../../services/automation/src/service.ts';
import { content } from '../../../services/content/src/service.ts';
import { scheduling } from '../../../services/scheduling/src/service.ts';
import { processesOf, type Rule, scaleOf } from '../manifests.ts';

// Effects are never called here, so they need no dependencies.
const none = {} as never;
const consumers = {
  content: content.consumers?.(none),
  scheduling: scheduling.consumers?.(none),
  automation: automation.consumers?.(none),
  analytics: analytics.consumers?.(none),
};

/** Partitions of each topic (packages/shared/src/bus/kafka/bus.ts). */
const partitions = 6;

export const consumerGroups: Rule = {
  name: 'workers scaled by the lag of their groups',
  find: manifests =>
    processesOf(manifests)
      .filter(({ labels }) => labels['app.kubernetes.io/component'] === 'worker')
      .flatMap(workload => {
        const scale = scaleOf(workload, manifests);
        const service = workload.labels['app.kubernetes.io/name'] as keyof typeof consumers;
        // A reader without an inbox does no work that more replicas would share.
        const working = (consumers[service] ?? []).filter(consumer => !('read' in consumer));
        const wanted = working.map(({ name }) => `${service}.${name}`);
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
