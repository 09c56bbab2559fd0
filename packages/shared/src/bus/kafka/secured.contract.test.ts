/** Kafka on a shared network: SASL over TLS, with a certificate of a private authority. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaProcess, startKafka } from '@hookline/infra/kafka';
import { canStartKafka } from '@hookline/infra/test-infra';
import { contractTimeout, keepIn, message, uniqueName } from '@hookline/testing/bus-contract';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Bus, ReceivedMessage, StoredMessage } from '../port.ts';
import { createKafkaBus } from './bus.ts';
import { loadKafkaConnection } from './settings.ts';

const log = pino({ level: 'silent' });
const patient = { timeout: 60_000, interval: 100 };
const password = 'correct-horse';
const hasKafka = await canStartKafka();

describe.skipIf(!hasKafka)('Kafka with SASL over TLS', contractTimeout, () => {
  let folder: string;
  let kafka: KafkaProcess;
  let opened: Bus[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hookline-kafka-'));
    makeCertificates(folder);
    const jaas = (module: string, rest: string) =>
      `org.apache.kafka.common.security.${module} required ${rest};`;
    kafka = await startKafka({
      workDir: folder,
      properties: () => [
        'listener.security.protocol.map=CLIENT:SASL_SSL,REPLICATION:PLAINTEXT,CONTROLLER:PLAINTEXT',
        `ssl.keystore.location=${join(folder, 'broker.p12')}`,
        ...['ssl.keystore.type=PKCS12', `ssl.keystore.password=${password}`, `ssl.key.password=${password}`],
        'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        `listener.name.client.plain.sasl.jaas.config=${jaas('plain.PlainLoginModule', `user_hookline="${password}"`)}`,
        ...['256', '512'].map(
          size =>
            `listener.name.client.scram-sha-${size}.sasl.jaas.config=${jaas('scram.ScramLoginModule', '')}`,
        ),
      ],
      formatArguments: ['256', '512'].flatMap(size => [
        '--add-scram',
        `SCRAM-SHA-${size}=[name=hookline,password=${password}]`,
      ]),
    });
  }, 180_000);
  afterEach(async () => {
    await Promise.all(opened.map(bus => bus.close(1_000)));
    opened = [];
  });
  afterAll(async () => {
    await kafka?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  function openBus(env: Record<string, string>): Bus {
    const connection = loadKafkaConnection(
      {
        ...{ KAFKA_BROKERS: kafka.brokers, KAFKA_TLS: 'on', KAFKA_TLS_CA: join(folder, 'ca.pem') },
        ...{ KAFKA_SASL_USERNAME: 'hookline', KAFKA_SASL_PASSWORD: password },
        ...env,
      },
      'a test asks',
    );
    const bus = createKafkaBus({ ...connection, clientId: 'hookline-secured', log });
    opened.push(bus);
    return bus;
  }

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('publishes and receives with %s', async mechanism => {
    const bus = openBus({ KAFKA_SASL_MECHANISM: mechanism });
    const topic = uniqueName('topic');
    await bus.ensureTopics([topic]);
    const received: ReceivedMessage[] = [];
    await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
    await bus.publish([message(topic, 'key', mechanism)]);
    await vi.waitFor(() => expect(received.map(one => one.value)).toEqual([mechanism]), patient);
    const read: StoredMessage[] = [];
    await bus.readBack(topic, async messages => {
      read.push(...messages);
      return true;
    });
    expect(read).toMatchObject([{ value: mechanism, offset: received[0]?.offset }]);
  });

  it('does not accept a wrong password, nor a broker whose authority it does not know', async () => {
    const wrong = openBus({ KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_SASL_PASSWORD: 'wrong' });
    await expect(wrong.ensureTopics([uniqueName('topic')])).rejects.toThrow(/authentication failed/i);
    const stranger = openBus({ KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_TLS_CA: '' });
    await expect(stranger.ensureTopics([uniqueName('topic')])).rejects.toThrow(/certificate/i);
  });
});

/** Creates an authority, and a key and certificate of the broker in a Java keystore. */
function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const fresh = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    ...['req', '-x509', ...fresh, '-days', '2', '-subj', '/CN=test authority'],
    ...['-keyout', 'ca.key', '-out', 'ca.pem'],
  );
  openssl(
    ...['req', '-x509', ...fresh, '-days', '2', '-subj', '/CN=broker', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-keyout', 'broker.key', '-out', 'broker.pem'],
  );
  openssl(
    ...['pkcs12', '-export', '-in', 'broker.pem', '-inkey', 'broker.key', '-certfile', 'ca.pem'],
    ...['-out', 'broker.p12', '-passout', `pass:${password}`],
  );
}
