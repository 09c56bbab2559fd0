/** Rules for the processes' settings: they exist and parse, secrets are files, and related numbers agree. */
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError, loadSettings } from '@hookline/shared/kernel';
import { listRules } from '../../alerts/rules.ts';
import { allSettings } from '../../generate/all-settings.ts';
import {
  environmentOf,
  ofKind,
  processesOf,
  type Rule,
  scaleOf,
  selects,
  type Workload,
  workloadsOf,
} from '../manifests.ts';

const isSetting = (name: string): boolean => Object.hasOwn(allSettings, name);
const isSecret = (name: string): boolean => allSettings[name]?.secret === true;

const knownSettings: Rule = {
  name: 'settings that exist',
  find: manifests =>
    workloadsOf(manifests).flatMap(({ id, containers }) =>
      containers.flatMap(container =>
        [...environmentOf(container, manifests)].flatMap(([name, value]) => {
          if (name.endsWith('_FILE') && isSecret(name.slice(0, -'_FILE'.length))) return [];
          if (!isSetting(name)) return [`${id}: ${name} is no setting of the product`];
          return explainValue(name, value).map(text => `${id}: ${text}`);
        }),
      ),
    ),
};

function explainValue(name: string, value: string): string[] {
  const setting = allSettings[name];
  if (!setting) return [];
  try {
    loadSettings({ [name]: setting }, { [name]: value });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}

/**
 * Settings without which a process of that service refuses to start; for the gateway, with more than one
 * replica.
 */
const needed: Readonly<Record<string, readonly string[]>> = {
  migrate: ['DATABASE_URL', 'DATABASE_ROLE_PASSWORDS'],
  ops: ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'ENCRYPTION_KEYS'],
  gateway: ['KAFKA_BROKERS', 'REDIS_URL', 'CONTENT_URL', 'SCHEDULING_URL', 'AUTOMATION_URL', 'ANALYTICS_URL'],
  // Several replicas share no disk, so slide images need the store.
  content: ['PUBLIC_URL', 'ENCRYPTION_KEYS', 'MEDIA_SIGNING_KEY', 'S3_ENDPOINT'],
  scheduling: [
    'PUBLIC_URL',
    'ENCRYPTION_KEYS',
    'MEDIA_SIGNING_KEY',
    'TIKTOK_API_URL',
    'TIKTOK_CLIENT_KEY',
    'CONTENT_URL',
  ],
  automation: ['PUBLIC_URL', 'ENCRYPTION_KEYS', 'MEDIA_SIGNING_KEY'],
  analytics: ['ENCRYPTION_KEYS', 'YOUTUBE_API_URL', 'YOUTUBE_API_KEY', 'INSTAGRAM_API_URL'],
};

const neededSettings: Rule = {
  name: 'settings that are needed',
  find: manifests =>
    workloadsOf(manifests).flatMap(workload => {
      const given = givenTo(workload, manifests);
      const common = workload.isProcess ? ['DATABASE_URL', 'SERVICE_SIGNING_KEYS', 'PUBLIC_URL'] : [];
      const service = workload.labels['app.kubernetes.io/name'] ?? '';
      // The role api neither publishes nor consumes.
      const bus = workload.labels['app.kubernetes.io/component'] === 'worker' ? ['KAFKA_BROKERS'] : [];
      return [...common, ...bus, ...(needed[service] ?? [])]
        .filter(name => !given.has(name) && !given.has(`${name}_FILE`))
        .map(name => `${workload.id} lacks ${name}`);
    }),
};

function givenTo(workload: Workload, manifests: Parameters<Rule['find']>[0]): Map<string, string> {
  return new Map(workload.containers.flatMap(container => [...environmentOf(container, manifests)]));
}

/** A variable is inherited, printed and dumped; a file is read once. */
const secretsAsFiles: Rule = {
  name: 'secrets as files',
  find: manifests => [
    ...ofKind(manifests, 'Secret').map(
      ({ metadata }) => `Secret ${metadata.name} stands among the manifests`,
    ),
    ...workloadsOf(manifests).flatMap(({ id, containers, pod }) => {
      const secrets = new Set((pod.volumes ?? []).flatMap(({ name, secret }) => (secret ? [name] : [])));
      return containers.flatMap(container => {
        const folders = (container.volumeMounts ?? []).filter(({ name }) => secrets.has(name));
        const variables = [...(container.env ?? []), ...(container.envFrom ?? [])];
        return [
          ...(variables.some(
            given =>
              ('secretRef' in given && given.secretRef) ||
              ('valueFrom' in given && given.valueFrom?.secretKeyRef),
          )
            ? [`${id} has a secret in a variable`]
            : []),
          ...folders.filter(({ readOnly }) => readOnly !== true).map(() => `${id} may write to its secrets`),
          ...[...environmentOf(container, manifests)].flatMap(([name, value]) => {
            if (isSecret(name)) return [`${id}: ${name} is a secret: give ${name}_FILE`];
            if (!name.endsWith('_FILE')) return [];
            return folders.some(({ mountPath }) => value.startsWith(`${mountPath}/`))
              ? []
              : [`${id}: ${name} is ${value}, where no Secret is mounted`];
          }),
        ];
      });
    }),
  ],
};

/**
 * With Redis down each gateway admits its share of a limit: with more gateways than configured, too much is
 * admitted.
 */
const gatewayReplicas: Rule = {
  name: 'GATEWAY_REPLICAS as many as there may be',
  find: manifests =>
    processesOf(manifests)
      .filter(({ labels }) => labels['app.kubernetes.io/name'] === 'gateway')
      .flatMap(workload => {
        const surge = Number(workload.manifest.spec?.strategy?.rollingUpdate?.maxSurge ?? Number.NaN);
        const most = (scaleOf(workload, manifests)?.max ?? Number.NaN) + surge;
        const told = Number(givenTo(workload, manifests).get('GATEWAY_REPLICAS') ?? 1);
        return told === most
          ? []
          : [`${workload.id} is told of ${told} gateways; maxReplicas and maxSurge make it ${most}`];
      }),
};

/** By the Prometheus operator, under the labels that deploy/alerts and deploy/dashboards query. */
const metricsRead: Rule = {
  name: 'metrics are read',
  find(manifests) {
    const monitors = ofKind(manifests, 'PodMonitor');
    const unread = processesOf(manifests).flatMap(({ id, labels, containers }) => {
      const reading = monitors.filter(({ spec }) => selects(spec?.selector, labels));
      const endpoints = reading.flatMap(({ spec }) => spec?.podMetricsEndpoints ?? []);
      const ports = containers.flatMap(container => container.ports ?? []);
      const isRead = ports.some(
        ({ containerPort, name }) => containerPort === 9464 && endpoints.some(({ port }) => port === name),
      );
      return isRead ? [] : [`${id}: no PodMonitor reads its port 9464`];
    });
    const unnamed = monitors.flatMap(({ metadata, spec }) =>
      (spec?.podMetricsEndpoints ?? []).flatMap(({ relabelings = [] }) => [
        ...(relabelings.some(
          ({ targetLabel, replacement }) => targetLabel === 'job' && replacement === 'hookline',
        )
          ? []
          : [`PodMonitor ${metadata.name} does not set job="hookline"`]),
        ...(relabelings.some(({ targetLabel }) => targetLabel === 'service')
          ? []
          : [`PodMonitor ${metadata.name} sets no service`]),
      ]),
    );
    return [...unread, ...unnamed];
  },
};

/** By the Prometheus operator: an alert that is not loaded is silent about that too. */
const alertsLoaded: Rule = {
  name: 'alerts are loaded',
  find(manifests) {
    const loaded = ofKind(manifests, 'PrometheusRule').flatMap(({ spec }) =>
      (spec?.groups ?? []).flatMap(({ rules }) => rules),
    );
    return listRules().flatMap(rule => {
      const name = rule.alert ?? rule.record ?? '';
      const found = loaded.filter(one => (one.alert ?? one.record) === name);
      if (found.length !== 1) return [`${found.length} PrometheusRules have ${name}`];
      return isDeepStrictEqual(found[0], rule) ? [] : [`${name} is not what deploy/alerts says`];
    });
  },
};

export const settingsRules: readonly Rule[] = [
  knownSettings,
  neededSettings,
  secretsAsFiles,
  gatewayReplicas,
  metricsRead,
  alertsLoaded,
];
