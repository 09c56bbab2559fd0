/** The AWS SDK takes 34 MB and is loaded only when a store is created. */

import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { GetObjectCommandInput, PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { ConfigurationError, neverConnected } from '@hookline/shared/kernel';
import { type ImageStore, ImageStoreError, requireDigest } from './image-store.ts';

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

// A slide is about 0.3 MB and a generation has 8 s in total: a store that takes longer is in trouble.
const connectTimeoutMs = 1_000;
const attemptTimeoutMs = 2_000;
const attemptsMax = 3;
const operationTimeoutMs = 5_000;
const idleTimeoutMs = 10_000;
/** More than the answers that gateways let be read slowly, 128 each: every one holds a connection. */
const socketsMax = 1_024;

/**
 * Keeps slides as `slides/<digest>` in one bucket. `If-None-Match` leaves an existing image alone; a store
 * that does not support it writes the same bytes again.
 */
export async function createS3ImageStore(
  settings: S3Settings,
): Promise<ImageStore & { check(): Promise<void> }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = openClient(sdk.S3Client, settings);
  const { bucket } = settings;
  const keyOf = (digest: string): string => `slides/${requireDigest(digest)}`;

  const put = (input: PutObjectCommandInput, signal: AbortSignal) =>
    client.send(new sdk.PutObjectCommand(input), { abortSignal: signal });

  async function get(input: GetObjectCommandInput, signal?: AbortSignal): Promise<Readable | null> {
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(input), { abortSignal: limited(signal) });
      return endWhenIdle(Body as Readable);
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') return null;
      throw storeError(error);
    }
  }

  return {
    async put(digest, bytes, signal) {
      const within = limited(signal);
      const input = { Bucket: bucket, Key: keyOf(digest), Body: bytes, ContentType: contentTypeOf(bytes) };
      try {
        await put({ ...input, IfNoneMatch: '*' }, within);
      } catch (error) {
        const answer = statusOf(error);
        if (answer === 412) return;
        if (answer !== 409 && answer !== 501) throw storeError(error);
        // 409 means that another request is writing the same bytes; 501, that the store does not support
        // conditions.
        await put(input, within).catch(again => {
          throw storeError(again);
        });
      }
    },
    async read(digest, signal) {
      const body = await get({ Bucket: bucket, Key: keyOf(digest) }, signal);
      if (!body) return null;
      const whole = signal ? addAbortSignal(signal, body) : body;
      return await buffer(whole).catch(error => {
        throw storeError(error);
      });
    },
    stream: (digest, range) =>
      get({
        Bucket: bucket,
        Key: keyOf(digest),
        ...(range && { Range: `bytes=${range.first}-${range.last}` }),
      }),
    async delete(digest, signal) {
      const abortSignal = limited(signal);
      const command = new sdk.DeleteObjectCommand({ Bucket: bucket, Key: keyOf(digest) });
      const { $metadata } = await client.send(command, { abortSignal }).catch(error => {
        const attempts = (error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1;
        const isUnanswered = !neverConnected(error) && statusOf(error) === undefined;
        // An earlier attempt may have had no answer, whatever the last one had.
        const mayStillHappen = attempts > 1 || isUnanswered;
        throw new ImageStoreError(storeError(error).message, { mayStillHappen });
      });
      if (($metadata.attempts ?? 1) > 1)
        throw new ImageStoreError('the S3 store: answered a later try', { mayStillHappen: true });
    },
    close: () => client.destroy(),
    /**
     * @throws ConfigurationError for what the operator has to change, ImageStoreError if the store is away
     */
    async check() {
      try {
        const abortSignal = AbortSignal.timeout(operationTimeoutMs);
        await client.send(new sdk.HeadBucketCommand({ Bucket: bucket }), { abortSignal });
      } catch (error) {
        throw settingsError(statusOf(error), bucket) ?? storeError(error);
      }
    },
  };
}

function limited(signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(operationTimeoutMs);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Pictures with transparent parts are PNG, everything else is JPEG. */
function contentTypeOf(bytes: Buffer): string {
  return bytes[0] === 0x89 ? 'image/png' : 'image/jpeg';
}

function openClient(Client: typeof S3Client, settings: S3Settings): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  return new Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Most self-hosted stores have no host name per bucket.
    forcePathStyle: true,
    // Older stores refuse the SDK's own checksums; the payload's hash is part of the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attemptsMax,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: attemptTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: socketsMax, keepAlive: true },
      httpsAgent: { maxSockets: socketsMax, keepAlive: true },
    },
  });
}

function endWhenIdle(body: Readable): Readable {
  const response = body as Readable & { setTimeout?: (ms: number, then: () => void) => void };
  response.setTimeout?.(idleTimeoutMs, () => body.destroy(new ImageStoreError('the S3 store went silent')));
  return body;
}

/** @returns null if waiting may help */
function settingsError(status: number | undefined, bucket: string): ConfigurationError | null {
  if (status === 404) return new ConfigurationError(`S3_BUCKET ${bucket} does not exist at S3_ENDPOINT.`);
  if (status === 401 || status === 403) {
    return new ConfigurationError(
      `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are refused for the bucket ${bucket}; they need ListBucket, GetObject, PutObject and DeleteObject.`,
    );
  }
  if (status === 301 || status === 307 || status === 400) {
    return new ConfigurationError(`S3_REGION is not the region of the bucket ${bucket}.`);
  }
  return null;
}

/** Only name and status are kept: an S3 error can quote the signed request, access key included. */
function storeError(error: unknown): ImageStoreError {
  if (error instanceof ImageStoreError) return error;
  const status = statusOf(error);
  return new ImageStoreError(`the S3 store: ${nameOf(error)}${status === undefined ? '' : ` (${status})`}`);
}

function nameOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return String(code ?? name ?? 'failed').slice(0, 64);
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
