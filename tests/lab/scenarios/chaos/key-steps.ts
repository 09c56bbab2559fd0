/** Keys created, used, revoked and used again; and some that lack a scope. */
import type { Recorder } from '../../kit/run/history.ts';
import { epochMs } from './clock.ts';
import type { Customer, Key } from './customers.ts';
import type { ChaosLine } from './history.ts';
import { askAsUser, askWithKey, dataOf, pick, type Step } from './requests.ts';

type KeyOf = Key & { customer: Customer };

export type KeySteps = {
  mint(): Step;
  revoke(): Step | undefined;
  use(): Step | undefined;
  greedyKey(): Step;
  greedyContent(): Step;
  greedyAddress(): Step;
};

const revokedMax = 20;
const newestRevoked = 4;
const greedyIp = '172.16.0.1';

/** Takes a key from each of two customers that nothing else uses. */
export function createKeySteps(customers: readonly Customer[], recorder: Recorder<ChaosLine>): KeySteps {
  const live: KeyOf[] = [];
  const revoked: KeyOf[] = [];
  const [forReading, forContent] = customers.slice(0, 2).map(({ keys }) => keys.shift() as Key);

  return {
    mint() {
      const customer = pick(customers);
      const body = { name: 'chaos', scopes: ['apps:read'] };
      return askAsUser('mint', customer, { method: 'POST', path: '/keys', body }, answer => {
        if (answer?.status !== 201) return undefined;
        const { id, key } = dataOf<{ id: string; key: string }>(answer);
        live.push({ name: id, token: key, customer });
        return undefined;
      });
    },
    revoke() {
      const key = live.shift();
      if (!key) return undefined;
      const beganMs = performance.now();
      return askAsUser('revoke', key.customer, { method: 'DELETE', path: `/keys/${key.name}` }, answer => {
        const sentMs = epochMs(answer?.sentMs ?? beganMs);
        const doneMs = epochMs(answer?.doneMs ?? performance.now());
        recorder.write({ kind: 'revoked', key: key.name, sentMs, doneMs, status: answer?.status ?? 0 });
        revoked.push(key);
        if (revoked.length > revokedMax) revoked.shift();
        return undefined;
      });
    },
    use() {
      // Favours the most recently revoked: a gateway's cache is most likely stale right after.
      const from = revoked.length > 0 && Math.random() < 0.7 ? revoked.slice(-newestRevoked) : live;
      return from.length === 0 ? undefined : askWithKey('use key', pick(from), { path: '/apps' });
    },
    greedyKey: () => askWithKey('greedy', forReading as Key, { path: '/credits' }),
    greedyContent() {
      const headers = { 'idempotency-key': 'x' };
      const asked = { method: 'POST', path: '/content', headers, body: {} } as const;
      return askWithKey('greedy', forContent as Key, asked);
    },
    greedyAddress: () => ({
      operation: 'greedy',
      windows: [`ip:${greedyIp}`],
      question: { path: '/apps', ip: greedyIp },
    }),
  };
}
