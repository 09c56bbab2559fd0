import { randomBytes } from 'node:crypto';
import { type AlertFault, change, keepDoingAtOnce } from './fault.ts';
import type { Ground } from './ground.ts';

function makeContent({ creators: { client } }: Ground): Promise<unknown> {
  return client.api('POST', '/content', {
    token: client.key,
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    body: { appId: client.appId, type: 'slideshow' },
  });
}

const llm = { platform: 'llm', operation: 'chat_completions', share: 1 };

export const contentFaults: readonly AlertFault[] = [
  {
    name: 'the text model is away',
    alerts: ['ContentFailing'],
    async provoke(ground) {
      const mend = await ground.fault({ ...llm, kind: 'down' });
      const end = keepDoingAtOnce(2, () => makeContent(ground), 200);
      return async () => {
        await mend();
        await end();
      };
    },
  },
  {
    name: 'the text model takes 6 s',
    alerts: ['ContentSlow'],
    async provoke(ground) {
      const mend = await ground.fault({ ...llm, kind: 'slow', delayMs: 6_000 });
      const end = keepDoingAtOnce(10, () => makeContent(ground), 100);
      return async () => {
        await mend();
        await end();
      };
    },
  },
];

export const moneyFaults: readonly AlertFault[] = [
  {
    name: 'a hand in the credit table',
    alerts: ['LedgerDrift'],
    provoke: ground =>
      change(
        ground,
        'update content.credit_accounts set balance = balance + 1, granted = granted + 1',
        'update content.credit_accounts set balance = balance - 1, granted = granted - 1',
      ),
  },
];
