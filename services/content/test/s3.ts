import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../src/storage/image-store-s3.ts';

/** Settings for the tests' S3 server: `url` is `http://<access key>:<secret key>@host:port`. */
export function s3SettingsOf(url: string, bucket: string): S3Settings {
  const { origin, username, password } = new URL(url);
  return {
    endpoint: origin,
    region: 'us-east-1',
    bucket: `${bucket}-${process.pid}`,
    accessKeyId: username,
    secretAccessKey: password,
  };
}

/** The same as environment variables of the service. */
export function s3Environment(settings: S3Settings): Record<string, string> {
  return {
    S3_ENDPOINT: settings.endpoint,
    S3_REGION: settings.region,
    S3_BUCKET: settings.bucket,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
}

export type TestBucket = { countObjects(): Promise<number>; close(): void };

/** Creates the bucket, which the product never does. */
export async function createBucket(settings: S3Settings): Promise<TestBucket> {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = settings;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    countObjects: async () => (await client.send(new ListObjectsV2Command({ Bucket: bucket }))).KeyCount ?? 0,
    close: () => client.destroy(),
  };
}
