import { findApiKey, type Gateways, revokeKey } from '@hookline/gateway/ops';
import { ConfigurationError, createLogger, loadSettings, requireSettings } from '@hookline/shared/kernel';
import { defineCommand, type Env, type Print } from './command.ts';
import { type OperatorTarget, withTarget } from './target.ts';

export const command = defineCommand({
  does: 'revokes an API key of any account; when it returns, no gateway accepts the key any more',
  words: ['<keyId>'],
  run: ({ env, given, print }) => revoke(env, given[0] ?? '', print),
});

/** @returns false when there is no such key. */
async function revoke(env: Env, id: string, print: Print): Promise<boolean> {
  if (id.startsWith('svc_'))
    throw new ConfigurationError('<keyId> is the id of the key (key_...), never the key itself.');
  return await withTarget(env, {}, async target => {
    const db = target.openSchema('gateway');
    const key = await findApiKey(db, id);
    if (!key) {
      print(`There is no key ${id}.`);
      return false;
    }
    const { revokedAt } = await revokeKey(db, key, gatewaysOf(target, env));
    const whose = `${key.prefix} "${key.name}" of ${key.accountId}`;
    print(`${id} (${whose}) is revoked since ${revokedAt?.toISOString()}; no gateway admits it any more.`);
    return true;
  });
}

/** @throws ConfigurationError when the gateways of a distributed product cannot be determined */
function gatewaysOf(target: OperatorTarget, env: Env): Gateways {
  if (target.dataDir !== null) return { areUp: target.isUp };
  const { REDIS_URL } = requireSettings(
    loadSettings(['REDIS_URL'], env),
    ['REDIS_URL'],
    'the gateways of a distributed product learn of a revocation from Redis',
  );
  return { redisUrl: REDIS_URL, log: createLogger({ service: 'operator', level: 'silent' }) };
}
