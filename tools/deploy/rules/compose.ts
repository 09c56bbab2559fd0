/** Rules for the compose files, each from a defect that only a real engine had shown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../../test/run-command.ts';

const Service = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  profiles: z.array(z.string()).default([]),
  restart: z.string().optional(),
  pull_policy: z.string().optional(),
  stop_grace_period: z.string().optional(),
  shm_size: z.string().optional(),
  ports: z.array(z.string()).default([]),
  init: z.boolean().default(false),
  cap_add: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  volumes: z.array(z.unknown()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z
    .object({ test: z.array(z.string()), interval: z.string(), start_interval: z.string().optional() })
    .optional(),
  logging: z.object({ options: z.record(z.string(), z.string()) }).optional(),
  deploy: z
    .object({
      resources: z.object({ limits: z.object({ memory: z.string(), pids: z.number().optional() }) }),
    })
    .optional(),
});
const ComposeFile = z.object({ services: z.record(z.string(), Service) });

export type ComposeServices = Record<string, z.infer<typeof Service>>;
type Found = ComposeServices[string];

export const composeFile = 'docker-compose.yml';
/** On top of the other one (docs/self-hosting.md). */
export const selfHostingFile = 'deploy/compose/self-hosting.yml';

/** @throws Error when the file has another structure */
export function readComposeServices(): ComposeServices {
  return ComposeFile.parse(readYaml(composeFile)).services;
}

/**
 * The services of both files together, as Compose merges them; lists of networks are not read.
 * @throws Error when a file has another structure
 */
export function readSelfHostingServices(): ComposeServices {
  return ComposeFile.parse(mergeFiles(readYaml(composeFile), readYaml(selfHostingFile))).services;
}

const override = '!override';
/** Lists that a second file replaces; it adds to every other one. */
const replacedLists = ['command', 'entrypoint', 'test'];

function readYaml(file: string): unknown {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const document = parseDocument(text, { merge: true, logLevel: 'error' });
  if (document.errors[0]) throw document.errors[0];
  // The values lose their tags, so the tag becomes an entry of what it replaces.
  visit(document, {
    Map: (_, node) => void (node.tag === override && node.set(override, true)),
    Seq: (_, node) => void (node.tag === override && node.items.unshift(document.createNode(override))),
  });
  return document.toJS();
}

function mergeFiles(first: unknown, second: unknown, key = ''): unknown {
  if (Array.isArray(second)) {
    if (second[0] === override) return second.slice(1);
    return Array.isArray(first) && !replacedLists.includes(key) ? [...first, ...second] : second;
  }
  if (second === null || typeof second !== 'object') return second;
  const { [override]: isWhole, ...own } = second as Record<string, unknown>;
  const base = isWhole ? {} : ((first ?? {}) as Record<string, unknown>);
  const merged = Object.entries(own).map(([name, value]) => [name, mergeFiles(base[name], value, name)]);
  return { ...base, ...Object.fromEntries(merged) };
}

/** Containers that end when their work is done. */
const jobs = ['secrets', 'check-secrets', 'migrate', 'kafka-user', 's3-bucket', 'ops'];
/** What watches the product is started on request: 5 of 17 containers. */
const watchers = ['otel-collector', 'tempo', 'prometheus', 'grafana'];

/** `384m`, `1g`, `1G`; NaN for anything else. */
function bytesOf(size = ''): number {
  const [, count, unit = ''] = /^(\d+)([kmg])b?$/i.exec(size) ?? [];
  return Number(count) * 1024 ** ('kmg'.indexOf(unit.toLowerCase()) + 1);
}

function isOfSecrets(mount: unknown): boolean {
  return typeof mount === 'string'
    ? mount.startsWith('secrets:')
    : JSON.stringify(mount).includes('"source":"secrets"');
}

/** Directly or by way of others. */
function startsAfter(services: ComposeServices, name: string, job: string): boolean {
  return Object.keys(services[name]?.depends_on ?? {}).some(
    needed => needed === job || startsAfter(services, needed, job),
  );
}

/** Listeners of the broker that other containers reach and that ask for no password. */
function findOpenListeners(environment: Readonly<Record<string, string>>): string[] {
  const secured = (environment.KAFKA_LISTENER_SECURITY_PROTOCOL_MAP ?? '')
    .split(',')
    .filter(entry => entry.includes(':SASL_'))
    .map(entry => entry.split(':')[0]);
  return (environment.KAFKA_LISTENERS ?? '')
    .split(',')
    .filter(one => !one.includes('://127.0.0.1:') && !secured.includes(one.split('://')[0]));
}

type Broken = (service: Found, name: string, services: ComposeServices) => boolean;
const rules: readonly { complaint: string; isBroken: Broken }[] = [
  {
    complaint: 'stays down after a reboot: restart must be unless-stopped',
    isBroken: ({ restart }, name) => !jobs.includes(name) && restart !== 'unless-stopped',
  },
  {
    complaint:
      "asks a registry for an image of ours: pull_policy must be build, or never for another's build",
    isBroken: ({ image, pull_policy: policy }) =>
      image.startsWith('hookline/') && !['build', 'never'].includes(policy ?? ''),
  },
  { complaint: 'keeps capabilities: cap_drop must be [ALL]', isBroken: one => !one.cap_drop.includes('ALL') },
  {
    complaint: 'cannot be stopped: init needs KILL for a process that has become another user',
    isBroken: ({ init, cap_add: added }) => init && added.includes('SETUID') && !added.includes('KILL'),
  },
  {
    complaint: 'may gain privileges: security_opt must contain no-new-privileges:true',
    isBroken: ({ security_opt: options }) => !options.includes('no-new-privileges:true'),
  },
  {
    complaint: 'needs limits of memory and pids',
    isBroken: ({ deploy }) => deploy?.resources.limits.pids === undefined,
  },
  { complaint: 'logs without a bound: max-size', isBroken: ({ logging }) => !logging?.options['max-size'] },
  {
    complaint: 'checks its health too often when idle, or too late while it starts',
    isBroken: ({ healthcheck: check }) =>
      check !== undefined && (check.interval !== '30s' || check.start_interval !== '1s'),
  },
  {
    complaint: 'gets the secrets of others: the volume of secrets is mounted without a subpath',
    isBroken: ({ volumes }, name) =>
      name !== 'secrets' &&
      volumes.some(one => isOfSecrets(one) && !JSON.stringify(one).includes('"subpath"')),
  },
  {
    complaint:
      'gets the secrets of others from an engine that ignores subpath: it must start after check-secrets',
    isBroken: ({ volumes }, name, services) =>
      !['secrets', 'check-secrets'].includes(name) &&
      volumes.some(isOfSecrets) &&
      !startsAfter(services, name, 'check-secrets'),
  },
  {
    complaint: 'belongs to the profile observe',
    isBroken: ({ profiles }, name) => watchers.includes(name) && !profiles.includes('observe'),
  },
  {
    complaint: 'does not stop when an engine ignores subpath',
    isBroken: ({ command }, name) =>
      name === 'check-secrets' && !command.includes('deploy/compose/own-secrets-only.mjs'),
  },
  {
    complaint: 'is healthy while it initializes, on its socket only: check 127.0.0.1',
    isBroken: ({ healthcheck }, name) => name === 'postgres' && !healthcheck?.test.includes('127.0.0.1'),
  },
  {
    complaint: "has Docker's 64 MB of shared memory",
    isBroken: ({ shm_size: size }, name) => name === 'postgres' && size === undefined,
  },
  {
    complaint: 'needs a heap of at most three quarters of its limit of memory: -Xmx in KAFKA_HEAP_OPTS',
    isBroken: ({ image, environment, deploy }) =>
      image.startsWith('apache/kafka:') &&
      !(
        bytesOf(/-Xmx(\w+)/.exec(environment.KAFKA_HEAP_OPTS ?? '')?.[1]) <=
        0.75 * bytesOf(deploy?.resources.limits.memory)
      ),
  },
  {
    complaint: 'publishes a port and is not checked: it needs a health check',
    isBroken: ({ ports, healthcheck, profiles }) =>
      ports.length > 0 && profiles.length === 0 && healthcheck === undefined,
  },
  {
    complaint: 'answers other containers without a password',
    isBroken: ({ command, environment }, name) =>
      (name === 'redis' && !command.includes('/run/hookline/redis.conf')) ||
      (name === 'kafka' && findOpenListeners(environment).length > 0),
  },
  {
    complaint: 'is healthy when it refuses the check: redis-cli ends with 0 for an error',
    isBroken: ({ healthcheck }, name) => name === 'redis' && !healthcheck?.test.join(' ').includes('PONG'),
  },
  {
    complaint: 'preallocates 1 GB per volume',
    isBroken: ({ command }, name) => name === 's3' && !command.includes('-master.volumePreallocate=false'),
  },
  {
    complaint: 'takes 10.3 s to stop and is killed after 10 s',
    isBroken: ({ stop_grace_period: grace }, name) => name === 's3' && grace !== '30s',
  },
  {
    complaint: 'has the password of every other installation',
    isBroken: ({ environment }, name) => name === 'grafana' && !environment.GF_SECURITY_ADMIN_PASSWORD__FILE,
  },
];

/** One line per broken rule. */
export function findComposeComplaints(services: ComposeServices): string[] {
  return Object.entries(services).flatMap(([name, service]) =>
    rules
      .filter(rule => rule.isBroken(service, name, services))
      .map(({ complaint }) => `${name} ${complaint}`),
  );
}
