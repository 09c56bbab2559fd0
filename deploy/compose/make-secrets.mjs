// Creates the passwords and keys needed before the first "docker compose up", each in a file of the folder of
// the process that may read it. Existing files are kept. node deploy/compose/make-secrets.mjs <folder>
// [<host:port of Postgres>]
import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const services = ['gateway', 'content', 'scheduling', 'automation', 'analytics'];
/** Sender and audience, as in packages/shared/src/http/caller.ts. */
const calls = [
  ['gateway', 'content'],
  ['gateway', 'scheduling'],
  ['gateway', 'automation'],
  ['gateway', 'analytics'],
  ['scheduling', 'content'],
  ['automation', 'content'],
  ['automation', 'scheduling'],
];
const [folder, host = 'postgres:5432'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Give the folder that the secrets go to.');
  process.exit(1);
}
const password = () => randomBytes(24).toString('base64url');
const key = () => randomBytes(32).toString('base64');

const admin = keep('postgres/password', password, 0o444);
const passwords = {};
const signing = {};
for (const name of [...services, 'bus', 'reader']) passwords[name] = keep(`own/database-${name}`, password);
for (const name of services) signing[name] = keep(`own/signing-${name}`, key);
keep('grafana/admin-password', password, 0o444);
const storeSecret = keep('s3/secret-key', password, 0o444);
const redisPassword = keep('redis/password', password, 0o444);
const kafkaPassword = keep('own/kafka', password);
const encryption = ringOf(keep('own/encryption', key));
const media = ringOf(keep('own/media', key));

write('migrate/database-url', `postgres://hookline:${admin}@${host}/hookline`);
write('ops/database-url', `postgres://hookline:${admin}@${host}/hookline`);
write('ops-reader/database-url', `postgres://reader:${passwords.reader}@${host}/hookline`);
write(
  'migrate/role-passwords',
  Object.entries(passwords)
    .map(entry => entry.join(':'))
    .join(','),
);
write('s3/config.json', JSON.stringify(s3Config()), 0o444);
write('redis/redis.conf', `requirepass ${redisPassword}\n`, 0o444);
// In the form that kafka-configs.sh reads; the broker keeps a salted hash.
write('kafka/user.properties', `SCRAM-SHA-512=iterations=8192,password=${kafkaPassword}\n`, 0o444);
// Stores that are not those of compose have secrets of their own, which an operator writes.
const give = process.argv[3] === undefined ? write : (name, value) => keep(name, () => value);
for (const name of [...services, 'ops']) give(`${name}/kafka-password`, kafkaPassword);
// Kept, because an installation with another Redis writes its own.
for (const name of ['gateway', 'ops'])
  keep(`${name}/redis-url`, () => `redis://:${redisPassword}@redis:6379`);
for (const name of services) {
  write(`${name}/database-url`, `postgres://${name}:${passwords[name]}@${host}/hookline`);
  // Its own key first; then one for each pair of services that it is one of, derived
  // from the sender's own key.
  const pairs = calls.filter(pair => pair.includes(name));
  const derived = pairs.map(([sender, audience]) => `${sender}.to-${audience}:${pairKey(sender, audience)}`);
  write(`${name}/signing-keys`, [`${name}:${signing[name]}`, ...derived].join(','));
}
for (const name of ['content', 'scheduling', 'automation', 'analytics', 'ops'])
  write(`${name}/encryption-keys`, encryption);
for (const name of ['content', 'scheduling', 'automation']) write(`${name}/media-key`, media);
give('content/s3-secret-key', storeSecret);
console.log(`The secrets are in ${folder}.`);

function pairKey(sender, audience) {
  return createHmac('sha256', Buffer.from(signing[sender], 'base64'))
    .update(`to ${audience}`)
    .digest('base64');
}

/** One key, or the whole ring that an operator wrote while rotating it. */
function ringOf(value) {
  const text = value.trim();
  return text.includes(':') ? text : `one:${text}`;
}

/** The existing value, or a new one. */
function keep(name, make, mode) {
  const path = join(folder, name);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  return write(name, make(), mode);
}

function write(name, value, mode = 0o400) {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  if (existsSync(path) && readFileSync(path, 'utf8') === value) return value;
  // A full disk must not leave an empty secret, which the next run would keep.
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, value, { mode: 0o600 });
  chmodSync(draft, mode);
  renameSync(draft, path);
  return value;
}

function s3Config() {
  const credentials = [{ accessKey: 'hookline', secretKey: storeSecret }];
  return { identities: [{ name: 'hookline', credentials, actions: ['Admin', 'Read', 'Write', 'List'] }] };
}
