import { expect, it } from 'vitest';
import { createServiceClient } from './client.ts';

it('says that a service is unavailable whose name cannot be resolved', async () => {
  const sign = () => ({ 'x-hookline-caller': '' });
  // An empty label: refused by the resolver without a question to a server.
  const client = createServiceClient({ sender: 'scheduling', sign, peers: { content: ['http://a..b:1'] } });
  const fetching = () => client.fetchBytes('content', '/internal/x', { bytesMax: 1 });
  const expected = { code: 'service_unavailable', status: 503, cause: { code: 'ENOTFOUND' } };
  await expect(fetching()).rejects.toMatchObject(expected);
  // The failed lookup is remembered for a second, and fails the next call before it begins.
  await expect(fetching()).rejects.toMatchObject(expected);
  await client.close();
});
