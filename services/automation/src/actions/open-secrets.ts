import type { SecretBox } from '@hookline/shared/kernel';
import type { SealedSecret } from '../records/webhook.ts';
import { listSigning } from '../rules/secret-overlap.ts';

/**
 * The secrets that sign now, the current one first. One in overlap that no key opens is left out.
 * @returns null when no key opens the current one.
 */
export function openSecrets(
  box: SecretBox,
  webhookId: string,
  secrets: readonly SealedSecret[],
  now: Date,
): string[] | null {
  const [current, ...others] = listSigning(secrets, now).map(({ sealed }) => open(box, webhookId, sealed));
  if (current === undefined || current === null) return null;
  return [current, ...others.filter(secret => secret !== null)];
}

function open(box: SecretBox, webhookId: string, sealed: string): string | null {
  try {
    return box.open(sealed, webhookId);
  } catch {
    return null;
  }
}
