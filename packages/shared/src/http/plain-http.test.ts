import { expect, it } from 'vitest';
import { findPlainHttp } from './plain-http.ts';

it.each([
  ['http://llm.example.com/v1', true],
  ['http://93.184.215.14:8333', true],
  ['http://[2606:2800:21f:cb07::1]:4318', true],
  ['https://llm.example.com/v1', false],
  ['http://localhost:11434/v1', false],
  ['http://127.0.0.1:8333', false],
  ['http://[::1]:8333', false],
  ['http://10.0.3.7:8333', false],
  ['http://192.168.1.4:4318', false],
  ['http://s3:8333', false],
  ['http://otel.monitoring.svc:4318', false],
  ['http://otel.monitoring.svc.cluster.local:4318', false],
])('%s is sent over the internet without TLS: %s', async (url, isFound) => {
  for (const name of ['LLM_BASE_URL', 'S3_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    expect(await findPlainHttp({ [name]: url, PUBLIC_URL: 'http://hookline.example.com' })).toEqual(
      isFound ? [name] : [],
    );
});
