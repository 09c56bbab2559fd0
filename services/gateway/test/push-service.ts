/**
 * A push service with its browsers, as strict as RFC 8030, 8188, 8291 and 8292 allow. It decrypts with WebCrypto and
 * verifies with `jose`, so it shares no code with the sender.
 */
import { webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';

const { subtle } = webcrypto;

type Browser = { keys: webcrypto.CryptoKeyPair; publicKey: Buffer; auth: Buffer; serverKey: string };
export type Received = {
  id: string;
  text: Record<string, string>;
  topic: string;
  urgency: string;
  token: string;
};

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

const concat = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map(part => Buffer.from(part)));

export async function startPushService() {
  const browsers = new Map<string, Browser>();
  const used = new Set<string>();
  const received: Received[] = [];
  const refusals: string[] = [];
  /** What it answers instead: a status, or nothing at all. */
  const faults: { status: number | null; headers: Record<string, string> }[] = [];
  let origin = '';

  const server = createServer((request, response) => {
    const fault = faults.shift();
    if (fault?.status === null) return;
    if (fault) {
      request.resume();
      return response.writeHead(fault.status ?? 500, fault.headers).end();
    }
    accept(request).then(
      () => response.writeHead(201, { location: `${origin}/message/1` }).end(),
      error => {
        refusals.push(error.message);
        response.writeHead(error instanceof Refusal ? error.status : 500).end(error.message);
      },
    );
  });

  async function accept(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const id = request.url?.slice('/push/'.length) ?? '';
    const browser = browsers.get(id);
    const { headers } = request;
    if (request.method !== 'POST') throw new Refusal(405, 'a message is posted');
    if (!browser) throw new Refusal(404, 'no such subscription');
    if (!/^\d{1,7}$/.test(String(headers.ttl))) throw new Refusal(400, 'TTL is required');
    const urgency = String(headers.urgency ?? 'normal');
    if (!['very-low', 'low', 'normal', 'high'].includes(urgency))
      throw new Refusal(400, 'urgency is unknown');
    const topic = String(headers.topic ?? '');
    if (!/^[\w-]{0,32}$/.test(topic)) throw new Refusal(400, 'topic is too long or not base64url');
    if (headers['content-encoding'] !== 'aes128gcm') throw new Refusal(415, 'only aes128gcm is read');
    const token = await verify(String(headers.authorization), browser.serverKey);
    const text = await decrypt(Buffer.concat(chunks), browser);
    received.push({ id, text: JSON.parse(text), topic, urgency, token });
  }

  async function verify(authorization: string, serverKey: string): Promise<string> {
    const [, token = '', key = ''] =
      /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    if (key !== serverKey) throw new Refusal(403, 'the key is not the one that the browser subscribed to');
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'));
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: x!, y: y! }, 'ES256');
    const { payload } = await jwtVerify(token, publicKey, { algorithms: ['ES256'], audience: origin }).catch(
      error => {
        throw new Refusal(403, error.message);
      },
    );
    const leftMs = (payload.exp ?? Number.POSITIVE_INFINITY) * 1_000 - Date.now();
    if (leftMs > 86_400_000) throw new Refusal(403, 'exp is more than 24 hours away');
    if (!/^(?:mailto:|https:)./.test(payload.sub ?? '')) throw new Refusal(403, 'sub is no contact');
    return token;
  }

  async function decrypt(body: Buffer, { keys, publicKey, auth }: Browser): Promise<string> {
    if (body.length > 4_096) throw new Refusal(413, 'the message is larger than 4,096 bytes');
    const salt = body.subarray(0, 16);
    const length = body[20] ?? 0;
    const sender = body.subarray(21, 21 + length);
    if (length !== 65 || body.readUInt32BE(16) < 18) throw new Refusal(400, 'the header is malformed');
    for (const drawn of [salt, sender].map(part => part.toString('hex'))) {
      if (used.has(drawn)) throw new Refusal(400, 'a salt or key was used before');
      used.add(drawn);
    }
    const ecdh = { name: 'ECDH', namedCurve: 'P-256' };
    const senderKey = await subtle.importKey('raw', sender, ecdh, false, []);
    const shared = await subtle.deriveBits({ name: 'ECDH', public: senderKey }, keys.privateKey, 256);
    const hkdf = async (input: ArrayBuffer, by: Buffer, info: Buffer, bytes: number) => {
      const key = await subtle.importKey('raw', input, 'HKDF', false, ['deriveBits']);
      return await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: by, info }, key, bytes * 8);
    };
    const input = await hkdf(shared, auth, concat('WebPush: info\0', publicKey, sender), 32);
    const secret = await hkdf(input, salt, concat('Content-Encoding: aes128gcm\0'), 16);
    const iv = await hkdf(input, salt, concat('Content-Encoding: nonce\0'), 12);
    const key = await subtle.importKey('raw', secret, 'AES-GCM', false, ['decrypt']);
    const record = await subtle.decrypt({ name: 'AES-GCM', iv }, key, body.subarray(21 + length));
    const plain = Buffer.from(record);
    const end = plain.findLastIndex(byte => byte !== 0);
    if (plain[end] !== 2) throw new Refusal(400, 'the last record does not end with 2');
    return plain.subarray(0, end).toString();
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  return {
    target: `127.0.0.1:${port}`,
    received,
    refusals,
    faults,
    /** What `pushManager.subscribe` gives a page, as JSON. */
    async subscribe(serverKey: string) {
      const keys = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
      const publicKey = Buffer.from(await subtle.exportKey('raw', keys.publicKey));
      const auth = Buffer.from(webcrypto.getRandomValues(new Uint8Array(16)));
      const id = Buffer.from(webcrypto.getRandomValues(new Uint8Array(12))).toString('hex');
      browsers.set(id, { keys, publicKey, auth, serverKey });
      const given = { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') };
      return { endpoint: `${origin}/push/${id}`, keys: given };
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}
