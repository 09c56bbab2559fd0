import { expect, it } from 'vitest';
import { loadKafkaConnection } from './settings.ts';

const load = (env: Record<string, string>) =>
  loadKafkaConnection({ KAFKA_BROKERS: 'one:9092,two:9092', ...env }, 'a test asks');
const user = { KAFKA_SASL_USERNAME: 'hookline', KAFKA_SASL_PASSWORD: 'hidden-word' };

it('is plain TCP without a user unless more is set', () => {
  expect(load({})).toEqual({ brokers: ['one:9092', 'two:9092'] });
  expect(load({ KAFKA_REPLICATION_FACTOR: '3', KAFKA_TLS: 'on' })).toEqual({
    brokers: ['one:9092', 'two:9092'],
    replicationFactor: 3,
    tls: {},
  });
});

it('takes a user with each mechanism', () => {
  const scram = load({ ...user, KAFKA_SASL_MECHANISM: 'scram-sha-512' });
  expect(scram.sasl).toEqual({ mechanism: 'scram-sha-512', username: 'hookline', password: 'hidden-word' });
  expect(load({ ...user, KAFKA_TLS: 'on', KAFKA_SASL_MECHANISM: 'plain' }).sasl).toMatchObject({
    mechanism: 'plain',
  });
});

it.each([
  [{ KAFKA_BROKERS: '' }, /^KAFKA_BROKERS must be set: a test asks/],
  [{ KAFKA_TLS: 'yes' }, /^KAFKA_TLS must be on or off/],
  [{ KAFKA_TLS_CA: '/etc/ca.pem' }, /KAFKA_TLS is off/],
  [{ KAFKA_TLS: 'on', KAFKA_TLS_CA: '/does/not/exist.pem' }, /KAFKA_TLS_CA must name a file/],
  [user, /^KAFKA_SASL_MECHANISM must be set/],
  [{ KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_SASL_USERNAME: 'x' }, /^KAFKA_SASL_PASSWORD must be set/],
  [{ ...user, KAFKA_SASL_MECHANISM: 'plain' }, /^KAFKA_TLS must be on/],
  [{ KAFKA_SASL_MECHANISM: 'gssapi' }, /must be plain, scram/],
  [{ KAFKA_REPLICATION_FACTOR: '0' }, /integer from 1 to 15/],
])('refuses %o in one sentence, without a secret', (env, sentence) => {
  expect(() => load(env as Record<string, string>)).toThrow(sentence);
  expect(() => load(env as Record<string, string>)).not.toThrow('hidden-word');
});
