/** The physical limit to compare the product with: sign and post, nothing else. */
import { randomBytes } from 'node:crypto';
import { signatureHeaders } from '@hookline/automation/testing';
import { jobCompleted } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { Agent } from 'undici';
import type { BenchEndpoint } from './receivers.ts';

const atOnce = 64;

/** Signed posts per second to these endpoints, 64 at a time. */
export async function bareDeliveries(endpoints: readonly BenchEndpoint[], seconds: number): Promise<number> {
  const agent = new Agent({ pipelining: 1 });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const until = performance.now() + seconds * 1_000;
  let sent = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        const { port } = endpoints[sent % endpoints.length] as BenchEndpoint;
        sent += 1;
        const id = newId('event');
        const body = JSON.stringify({
          id,
          type: 'job.completed',
          sequence: 1,
          data: jobCompleted.example.job,
        });
        const answer = await agent.request({
          origin: `http://127.0.0.1:${port}`,
          path: '/hooks',
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...signatureHeaders([secret], id, new Date(), body),
          },
          body,
        });
        await answer.body.dump();
      }
    }),
  );
  await agent.close();
  return sent / seconds;
}
