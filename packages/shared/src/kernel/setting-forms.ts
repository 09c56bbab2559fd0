/** Formats of a setting's text: schemas whose errors state the valid values in one phrase. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

const bytesMin = 32;

/** One secret of a key ring, `id:base64` in the environment. */
export type NamedKey = { id: string; key: KeyObject };

/**
 * `id:base64[,id:base64]`, each id once: what was sealed or signed with a key is opened with the one of its id.
 * @param bytesMax that the cipher takes; default: any number
 */
export function keyRing(bytesMax = Number.POSITIVE_INFINITY) {
  const size = bytesMax === bytesMin ? bytesMin : `at least ${bytesMin}`;
  const error = `must be id:base64[,id:base64], each key ${size} bytes and each id once`;
  return z.string().transform((value, context): NamedKey[] => {
    const ring = value.split(',').map(entry => {
      const colon = entry.indexOf(':');
      return { id: entry.slice(0, colon).trim(), bytes: Buffer.from(entry.slice(colon + 1), 'base64') };
    });
    const isKey = ({ id, bytes: { length } }: (typeof ring)[number]): boolean =>
      /^[\w.-]{1,64}$/.test(id) && length >= bytesMin && length <= bytesMax;
    if (!ring.every(isKey) || new Set(ring.map(({ id }) => id)).size < ring.length) {
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    }
    return ring.map(({ id, bytes }) => ({ id, key: createSecretKey(bytes) }));
  });
}

/** @param protocols comma-separated, without colons */
export function url(protocols: string) {
  const error = `must be a URL (${protocols})`;
  return z.url({ error, protocol: new RegExp(`^(${protocols.replaceAll(', ', '|')})$`) });
}

/** An HTTP URL without its trailing slashes, to which paths are appended. */
export function httpUrl() {
  const error = 'must be a URL (http, https) without user, query and fragment';
  return url('http, https')
    .refine(value => new URL(value).username === '' && !/[?#]/.test(value), { error })
    .transform(value => value.replace(/\/+$/, ''));
}

/** Comma-separated base URLs, at least one. */
export function httpUrls() {
  const error = 'must be a URL (http, https), or several with commas';
  return commaList().refine(
    list =>
      list.length > 0 && list.every(item => /^https?:\/\/[^/?#@]+\/?$/.test(item) && URL.canParse(item)),
    { error },
  );
}

/** An integer within bounds, both included. */
export function count(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, error)
    .transform(Number)
    .pipe(z.int().min(min, error).max(max, error));
}

/** Comma-separated items, trimmed; none for the empty text. */
export function commaList() {
  return z.string().transform(value =>
    value
      .split(',')
      .map(item => item.trim())
      .filter(Boolean),
  );
}

function addressList(form: RegExp, examples: string) {
  const isAddress = (item: string): boolean => {
    const port = Number(form.exec(item)?.[1] ?? 0);
    return port >= 1 && port <= 65_535;
  };
  const error = `must be host:port with commas, such as ${examples}`;
  return commaList().refine(list => list.every(isAddress), { error });
}

/** kafkajs 2.2.4 takes what stands before the first colon as the host, so an IPv6 address needs a name. */
export function kafkaBrokers() {
  return addressList(/^[\w.-]+:(\d{1,5})$/, '127.0.0.1:9092 or kafka:9092');
}

/** Targets that an address filter lets through, as `targetKey` writes them. */
export function hostPorts() {
  const form = /^(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i;
  const list = addressList(form, '127.0.0.1:3000, [::1]:3000 or localhost:3000');
  return list.transform(items => new Set(items.map(item => item.toLowerCase())));
}
