/** Rules for `docker-compose.yml`, each from a defect that only a real engine had shown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
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
  init: z.boolean().default(false),
  cap_add: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  volumes: z.array(z.unknown()).default([]),
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

/** @throws Error when the file has another structure */
export function readComposeServices(text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')) {
  return ComposeFile.parse(parse(text, { merge: true })).services;
}

/** Containers that end when their work is done. */
const jobs = ['secrets', 'migrate', 's3-bucket', 'ops'];
/** What watches the product is started on request: 5 of 17 containers. */
const watchers = ['otel-collector', 'tempo', 'prometheus', 'grafana'];

const rules: readonly { complaint: string; isBroken(service: Found, name: string): boolean }[] = [
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
      volumes.some(one =>
        typeof one === 'string'
          ? one.startsWith('secrets:')
          : JSON.stringify(one).includes('"source":"secrets"') && !JSON.stringify(one).includes('"subpath"'),
      ),
  },
  {
    complaint: 'belongs to the profile observe',
    isBroken: ({ profiles }, name) => watchers.includes(name) && !profiles.includes('observe'),
  },
  {
    complaint: 'does not stop when an engine ignores subpath',
    isBroken: ({ command }, name) =>
      name === 'migrate' && !command.includes('./deploy/compose/own-secrets-only.mjs'),
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
    complaint: 'needs a heap below its limit',
    isBroken: ({ environment }, name) => name === 'kafka' && !environment.KAFKA_HEAP_OPTS,
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
    rules.filter(rule => rule.isBroken(service, name)).map(({ complaint }) => `${name} ${complaint}`),
  );
}
