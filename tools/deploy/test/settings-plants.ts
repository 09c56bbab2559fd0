/** Defects in the processes' settings. */
import { find, type Plant, podOf, settingsNamed, without } from './plant.ts';

export const settingsPlants: readonly Plant[] = [
  {
    rule: 'settings that exist',
    defect: 'a mistyped one',
    says: /LOG_LEVLE is no setting/,
    plant: all => void Object.assign(settingsNamed(all, 'common'), { LOG_LEVLE: 'info' }),
  },
  {
    rule: 'settings that exist',
    defect: 'a value that its process refuses',
    says: /LOG_LEVEL must be trace/,
    plant: all => void Object.assign(settingsNamed(all, 'common'), { LOG_LEVEL: 'loud' }),
  },
  {
    rule: 'settings that are needed',
    defect: 'lost in a patch',
    says: /content-worker lacks KAFKA_BROKERS/,
    plant: all => void podOf(all, 'content-worker').container.envFrom?.splice(1),
  },
  {
    rule: 'secrets as files',
    defect: 'in a variable',
    says: /gateway has a secret in a variable/,
    plant: all => void podOf(all, 'gateway').container.envFrom?.push({ secretRef: { name: 'gateway' } }),
  },
  {
    rule: 'secrets as files',
    defect: 'in the clear',
    says: /REDIS_URL is a secret: give REDIS_URL_FILE/,
    plant: all => void Object.assign(settingsNamed(all, 'gateway'), { REDIS_URL: 'redis://redis:6379' }),
  },
  {
    rule: 'GATEWAY_REPLICAS as many as there may be',
    defect: 'fewer',
    says: /told of 2 gateways.*make it 7/,
    plant: all => void Object.assign(settingsNamed(all, 'gateway'), { GATEWAY_REPLICAS: '2' }),
  },
  {
    rule: 'metrics are read',
    defect: 'of nobody',
    says: /content-worker: no PodMonitor/,
    plant: all =>
      void Object.assign(find(all, 'PodMonitor', 'hookline').spec, {
        selector: { matchLabels: { 'app.kubernetes.io/component': 'api' } },
      }),
  },
  {
    rule: 'metrics are read',
    defect: 'under another job than the alerts ask for',
    says: /does not set job="hookline"/,
    plant: all =>
      void find(all, 'PodMonitor', 'hookline').spec.podMetricsEndpoints?.[0]?.relabelings?.shift(),
  },
  {
    rule: 'alerts are loaded',
    defect: 'a file of them left out',
    says: /0 PrometheusRules have PostsOverdue/,
    plant: all => without(all, 'PrometheusRule', 'hookline-work'),
  },
  {
    rule: 'alerts are loaded',
    defect: 'another threshold than the one that is tested',
    says: /PostsLate is not what deploy\/alerts says/,
    plant(all) {
      const rules = find(all, 'PrometheusRule', 'hookline-work').spec.groups?.flatMap(group => group.rules);
      const late = rules?.find(({ alert }) => alert === 'PostsLate');
      if (late) late.expr = late.expr.replace('> 30', '> 3000');
    },
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
