import { randomBytes } from 'node:crypto';
import { sealedStores as analyticsStores } from '@hookline/analytics/ops';
import { sealedStores as automationStores } from '@hookline/automation/ops';
import { sealedStores as contentStores } from '@hookline/content/ops';
import { encryptionRingOf, saveEncryptionRing } from '@hookline/embedded/secrets';
import { sealedStores as schedulingStores } from '@hookline/scheduling/ops';
import { createSecretBox, loadSettings, requireSettings } from '@hookline/shared/kernel';
import { type ResealCount, resealStore, type SealedStore } from '@hookline/shared/postgres';
import { defineCommand, type Env, type Print } from './command.ts';
import { type OperatorTarget, withTarget } from './target.ts';

export const command = defineCommand({
  does: 'reseals every stored secret with the current key, while the services work',
  options: { check: { type: 'boolean', default: false, says: 'only counts' } },
  run: ({ env, values, print }) => rotateKeys(env, values.check, print),
});

/** Every table that holds sealed secrets. */
export const sealedStores: readonly SealedStore[] = [
  ...contentStores,
  ...schedulingStores,
  ...automationStores,
  ...analyticsStores,
];

/** @returns true when every secret is (with `isCheck`: could be) sealed with the current key */
export async function rotateKeys(env: Env, isCheck: boolean, print: Print): Promise<boolean> {
  const given = loadSettings(['DATABASE_URL', 'ENCRYPTION_KEYS'], env);
  const isEmbedded = !given.DATABASE_URL && !given.ENCRYPTION_KEYS;
  const schemas = [...new Set(sealedStores.map(store => store.schema))];
  return await withTarget(env, { mustBeStopped: isEmbedded && !isCheck, schemas }, async target => {
    if (!isEmbedded || target.dataDir === null) {
      const isComplete = await reseal(target, env, isCheck, print);
      if (isComplete && !isCheck) print('The other keys may be taken out of ENCRYPTION_KEYS.');
      return isComplete;
    }
    const ring = await encryptionRingOf(target.dataDir);
    if (isCheck) return await reseal(target, { ENCRYPTION_KEYS: ring }, isCheck, print);
    // Both keys are on disk from before the first row is resealed until the last one is: a kill loses
    // nothing.
    const fresh = `k${Date.now().toString(36)}:${randomBytes(32).toString('base64')}`;
    await saveEncryptionRing(target.dataDir, `${fresh},${ring}`);
    const isComplete = await reseal(target, { ENCRYPTION_KEYS: `${fresh},${ring}` }, isCheck, print);
    if (isComplete) {
      await saveEncryptionRing(target.dataDir, fresh);
      print('The old keys are removed.');
    }
    return isComplete;
  });
}

async function reseal(target: OperatorTarget, env: Env, isCheck: boolean, print: Print): Promise<boolean> {
  const { ENCRYPTION_KEYS } = requireSettings(
    loadSettings(['ENCRYPTION_KEYS'], env),
    ['ENCRYPTION_KEYS'],
    'the new key first, then the old ones (id:base64,id:base64), as the services have them',
  );
  const box = createSecretBox(ENCRYPTION_KEYS);
  let isComplete = true;
  for (const store of sealedStores) {
    const count = await resealStore(target.openSchema(store.schema), store, box, isCheck);
    print(describe(store, count, isCheck));
    if (count.unreadable.length > 0 || count.changed > 0) isComplete = false;
  }
  print(
    isCheck
      ? `Nothing was written. The current key is "${ENCRYPTION_KEYS[0]?.id}".`
      : isComplete
        ? `Every secret is sealed with "${ENCRYPTION_KEYS[0]?.id}".`
        : 'Not every secret could be resealed: keep the old keys, and run this again.',
  );
  return isComplete;
}

function describe({ schema, table, columns }: SealedStore, count: ResealCount, isCheck: boolean): string {
  const { resealed, current, changed, unreadable } = count;
  const parts = [`${resealed} ${isCheck ? 'to reseal' : 'resealed'}`, `${current} current`];
  if (changed > 0) parts.push(`${changed} changed in the meantime`);
  if (unreadable.length > 0) {
    const some = unreadable.slice(0, 5).join(', ');
    parts.push(
      `${unreadable.length} that no given key opens (${some}${unreadable.length > 5 ? ', ...' : ''})`,
    );
  }
  return `${schema}.${table} (${columns.join(', ')}): ${parts.join(', ')}`;
}
