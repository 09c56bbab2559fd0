import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { ApiError, rateLimited } from '@hookline/shared/contracts';
import { matchedRoute } from '@hookline/shared/http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import type { ClientAddress } from '../limits/client-address.ts';

/**
 * Bytes of unfinished bodies that one address may have in memory (D-71): eight of the largest. Without it, a
 * thousand connections that stop one byte short of a body's end held 216 MB.
 */
export const unreadMax = 2 * 1024 * 1024;
/** Uploads in memory at once, from their first byte to their answer: at most 64 MB. Each address has one. */
export const uploadsMax = 6;
/** A body may take 30 s: a workspace that sends from many addresses must not keep the others from it. */
const uploadsOfWorkspaceMax = 2;
// Each received chunk is an object of its own: a body sent byte by byte takes hundreds of times its size.
const chunkMin = 512;
/** A body of this size that has arrived before its request is admitted came in few chunks. */
const wholeMax = 4_096;

/**
 * Counts what was received of bodies that are not complete. A new body of an address over the limit is
 * refused with 429 before it is read; one that takes the address over it ends its connection, because it
 * could not be answered otherwise. Uploads are bounded by their number instead: a second one of an address
 * and a third of a workspace are refused with 429, a seventh with 503.
 *
 * A body stays in memory until its answer, for 10 s and more where its owner is busy: beyond `bytesMax` of
 * all of them, new bodies and those that still arrive are refused with 503.
 */
export function limitBodies(app: FastifyInstance, clientAddress: ClientAddress, bytesMax: number): void {
  const held = new Map<string, number>();
  let allBytes = 0;
  const beginUpload = createUploads();

  function change(address: string, bytes: number): number {
    const sum = (held.get(address) ?? 0) + bytes;
    if (sum > 0) held.set(address, sum);
    else held.delete(address);
    return sum;
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    const isRead = request.method !== 'GET' && request.method !== 'HEAD';
    if (!isRead || (coding === undefined && length === '0')) return done(null, payload);
    const address = clientAddress(request);
    if (isUpload(request)) return done(beginUpload(request, reply, address), payload);
    // Refused for its length, and not kept.
    if (Number(length) > matchedRoute(request).bodyLimit) return done(null, payload);
    if (change(address, 0) >= unreadMax) {
      reply.header('connection', 'close');
      return done(rateLimited(1));
    }
    if (allBytes >= bytesMax) {
      reply.header('connection', 'close');
      return done(memoryFull());
    }
    let own = 0;
    let kept = 0;
    let isAnswered = false;
    reply.raw.once('close', () => {
      isAnswered = true;
      allBytes -= kept;
    });
    if (request.raw.complete && coding === undefined && Number(length) <= wholeMax) {
      kept = Math.max(Number(length), chunkMin);
      allBytes += kept;
      return done(null, payload.readableLength === Number(length) ? arrived(payload) : payload);
    }
    // Whoever reads the body stops listening at the first error, or never listened: a later
    // one would end the process.
    payload.on('error', () => {});
    payload.on('data', (chunk: Buffer) => {
      const bytes = Math.max(chunk.length, chunkMin);
      own += bytes;
      const isOverAddress = change(address, bytes) > unreadMax;
      if (isOverAddress) request.raw.destroy();
      // Nobody keeps a chunk that arrives after the answer, and nothing would give it back.
      if (isAnswered || isOverAddress) return;
      kept += bytes;
      allBytes += bytes;
      // Whoever reads the body answers with it, and closes the connection.
      if (allBytes > bytesMax) payload.emit('error', memoryFull());
    });
    const release = (): void => {
      change(address, -own);
      own = 0;
    };
    payload.once('end', release);
    payload.once('close', release);
    done(null, payload);
  });
}

/**
 * Hands over at once a body that has arrived: the events of the request come two ticks later and cost 4 µs
 * more.
 */
function arrived(payload: Readable): RequestPayload {
  const body = new EventEmitter() as unknown as RequestPayload;
  // Fastify listens first.
  body.resume = () => {
    body.emit('data', payload.read());
    body.emit('end');
    return body;
  };
  return body;
}

function createUploads() {
  // Maps an address to the workspace that sends.
  const uploading = new Map<string, string>();

  function refusalOf(address: string, workspace: string): ApiError | null {
    const own = [...uploading.values()].filter(other => other === workspace);
    if (uploading.has(address) || own.length >= uploadsOfWorkspaceMax) return rateLimited(1);
    if (uploading.size < uploadsMax) return null;
    return new ApiError('service_unavailable', 'Too many uploads are in progress; try again.', {
      retryAfterSeconds: 2,
    });
  }

  return (request: FastifyRequest, reply: FastifyReply, address: string): ApiError | null => {
    // Every upload needs a key or a session.
    const workspace = request.call?.caller?.accountId ?? '';
    const refusal = refusalOf(address, workspace);
    if (refusal) reply.header('connection', 'close');
    else {
      uploading.set(address, workspace);
      reply.raw.once('close', () => uploading.delete(address));
    }
    return refusal;
  };
}

function memoryFull(): ApiError {
  return new ApiError('service_unavailable', 'Too many requests are in progress; try again.', {
    retryAfterSeconds: 2,
  });
}

function isUpload(request: FastifyRequest): boolean {
  return matchedRoute(request).config.route?.contract?.upload !== undefined;
}
