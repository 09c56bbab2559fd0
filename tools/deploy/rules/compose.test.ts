import { describe, expect, it } from 'vitest';
import {
  type ComposeServices,
  findComposeComplaints,
  readComposeServices,
  readSelfHostingServices,
} from './compose.ts';

type Change = (services: ComposeServices) => void;

const plants: readonly [complaint: RegExp, plant: Change][] = [
  [/^redis stays down/, s => delete s.redis?.restart],
  [/^content asks a registry/, s => delete s.content?.pull_policy],
  [/^kafka keeps capabilities/, s => s.kafka?.cap_drop.splice(0)],
  [/^redis cannot be stopped/, s => s.redis?.cap_add.splice(3, 1)],
  [/^s3 may gain privileges/, s => s.s3?.security_opt.splice(0)],
  [/^gateway needs limits/, s => delete s.gateway?.deploy],
  [/^migrate logs without/, s => delete s.migrate?.logging],
  [/^content checks its health/, s => Object.assign(s.content?.healthcheck ?? {}, { interval: '5s' })],
  [/^ops gets the secrets of others/, s => s.ops?.volumes.push('secrets:/run/hookline')],
  [/^ops gets the secrets of others/, s => s.ops?.volumes.push({ source: 'secrets', volume: {} })],
  [/^tempo belongs to the profile/, s => s.tempo?.profiles.splice(0)],
  [/^check-secrets does not stop/, s => s['check-secrets']?.command.splice(1, 1)],
  [/^grafana gets .* must start after/, s => delete s.grafana?.depends_on['check-secrets']],
  [/^s3-bucket gets .* must start after/, s => delete s['s3-bucket']?.depends_on.s3],
  [/^postgres is healthy while/, s => s.postgres?.healthcheck?.test.splice(2, 2)],
  [/^postgres has Docker's 64 MB/, s => delete s.postgres?.shm_size],
  [/^kafka needs a heap/, s => delete s.kafka?.environment.KAFKA_HEAP_OPTS],
  [
    /^kafka needs a heap/,
    s => Object.assign(s.kafka?.environment ?? {}, { KAFKA_HEAP_OPTS: '-Xms1g -Xmx1g' }),
  ],
  [/^gateway publishes a port/, s => delete s.gateway?.healthcheck],
  [/^redis answers other containers/, s => s.redis?.command.splice(1, 1)],
  [/^redis is healthy when/, s => s.redis?.healthcheck?.test.splice(0, 4, 'CMD', 'redis-cli', 'ping')],
  [
    /^kafka answers other containers/,
    s =>
      Object.assign(s.kafka?.environment ?? {}, { KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CLIENT:PLAINTEXT' }),
  ],
  [
    /^kafka answers other containers/,
    s => Object.assign(s.kafka?.environment ?? {}, { KAFKA_LISTENERS: 'CLIENT://:9092,LOCAL://:9094' }),
  ],
  [/^s3 preallocates/, s => s.s3?.command.splice(4)],
  [/^s3 takes 10.3 s/, s => delete s.s3?.stop_grace_period],
  [/^grafana has the password/, s => delete s.grafana?.environment.GF_SECURITY_ADMIN_PASSWORD__FILE],
];

describe('the rules of docker-compose.yml', () => {
  it('find nothing in the file as it is', () => {
    expect(findComposeComplaints(readComposeServices())).toEqual([]);
  });

  it.each(plants)('%s', (complaint, plant) => {
    const services = structuredClone(readComposeServices());
    plant(services);
    expect(findComposeComplaints(services)).toEqual([expect.stringMatching(complaint)]);
  });
});

describe('the rules of deploy/compose/self-hosting.yml', () => {
  it('find nothing in both files together', () => {
    expect(findComposeComplaints(readSelfHostingServices())).toEqual([]);
  });

  it('read what the second file adds, and what it replaces', () => {
    const { caddy, content, gateway, scheduling } = readSelfHostingServices();
    expect(caddy?.ports).toContain('443:443');
    expect(gateway?.ports).toEqual(['127.0.0.1:8080:8080']);
    expect(content?.environment).toMatchObject({ STORES: 'real', S3_BUCKET: 'hookline' });
    expect(Object.keys(scheduling?.depends_on ?? {})).toEqual(['migrate', 'kafka-user']);
  });

  it('find what only Caddy lacks', () => {
    const services = readSelfHostingServices();
    delete services.caddy?.healthcheck;
    expect(findComposeComplaints(services)).toEqual([expect.stringMatching(/^caddy publishes a port/)]);
  });
});
