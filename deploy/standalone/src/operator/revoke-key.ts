import { setTimeout as delay } from 'node:timers/promises';
import { revokeKey } from '@hookline/gateway/actions/revoke-key';
import { leaseMs } from '@hookline/gateway/limits/admission';
import { revokeInRedis } from '@hookline/gateway/limits/redis';
import { openRedisLink } from '@hookline/gateway/limits/redis-link';
import { findApiKey } from '@hookline/gateway/queries/api-keys';
import { ConfigurationError, createLogger, loadSettings, requireSettings } from '@hookline/shared/kernel';
import { defineCommand, type Env, type Print } from './command.ts';
import { type OperatorTarget, openTarget } from './target.ts';

// Added to the lease of a gateway's copy: the way of a record from Postgres into its memory.
const leaseMarginMs = 1_000;

export const command = defineCommand({
  does: 'revokes an API key, whoever owns it; when it ends no gateway admits the key any more',
  words: ['<keyId>'],
  run: ({ env, given, print }) => revoke(env, given[0] ?? '', print),
});

/** @returns false when there is no such key. */
async function revoke(env: Env, id: string, print: Print): Promise<boolean> {
  if (id.startsWith('svc_'))
    throw new ConfigurationError('<keyId> is the id of the key (key_...), never the key itself.');
  const target = await openTarget(env);
  try {
    const db = target.openSchema('gateway');
    const key = await findApiKey(db, id);
    if (!key) {
      print(`There is no key ${id}.`);
      return false;
    }
    const gateways = await openGateways(target, env);
    try {
      const deps = { db, now: () => new Date(), admissions: { revoke: gateways.tell } };
      const { revokedAt } = await revokeKey(deps, key.accountId, id);
      const whose = `${key.prefix} "${key.name}" of ${key.accountId}`;
      print(`${id} (${whose}) is revoked since ${revokedAt?.toISOString()}; no gateway admits it any more.`);
    } finally {
      await gateways.close();
    }
    return true;
  } finally {
    await target.close();
  }
}

/** How gateways learn of a revocation: from Redis, or, with one in memory, when the lease of its copy is over. */
async function openGateways(target: OperatorTarget, env: Env) {
  if (target.dataDir !== null) {
    const waitMs = target.isUp ? leaseMs + leaseMarginMs : 0;
    return { tell: () => delay(waitMs), close: async () => {} };
  }
  const { REDIS_URL } = requireSettings(
    loadSettings(['REDIS_URL'], env),
    ['REDIS_URL'],
    'the gateways of a distributed product learn of a revocation from Redis',
  );
  const link = await openRedisLink(REDIS_URL, createLogger({ service: 'operator', level: 'silent' }));
  return { tell: (keyHash: string) => revokeInRedis(link, keyHash), close: () => link.close() };
}
