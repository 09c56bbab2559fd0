/**
 * A certificate for localhost that signs itself, as DER written by hand: Node makes
 * keys, but no certificates.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const tagOf = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, text: 0x0c, sequence: 0x30, set: 0x31 };
const generalizedTime = 0x18;

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
}

const sequence = (...parts: Uint8Array[]) => der(tagOf.sequence, ...parts);
const oid = (...bytes: number[]) => der(tagOf.oid, Buffer.from(bytes));
const timeOf = (date: Date) =>
  der(generalizedTime, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

/** Valid for an hour. @returns PEM */
export function selfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const commonName = sequence(oid(0x55, 0x04, 0x03), der(tagOf.text, Buffer.from('localhost')));
  const name = sequence(der(tagOf.set, commonName));
  // GeneralName [2] is a DNS name.
  const alternatives = sequence(der(0x82, Buffer.from('localhost')));
  const subjectAltName = sequence(oid(0x55, 0x1d, 0x11), der(tagOf.octets, alternatives));
  const body = sequence(
    der(0xa0, der(tagOf.integer, Buffer.from([2]))),
    der(tagOf.integer, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    sequence(timeOf(new Date(Date.now() - 60_000)), timeOf(new Date(Date.now() + 3_600_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = der(tagOf.bits, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g)?.join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
