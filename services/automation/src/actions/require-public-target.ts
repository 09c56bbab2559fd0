import { invalidRequest } from '@hookline/shared/contracts';
import { resolvePublic } from '@hookline/shared/http/guarded-connect';
import type { AutomationDeps } from '../deps.ts';
import { readWebhookUrl } from '../rules/webhook-url.ts';

/**
 * Refuses a target that is not public. A name that does not resolve now is accepted: every connection checks
 * the address that it dials again.
 * @throws ApiError `invalid_request`
 */
export async function requirePublicTarget(
  { allowedTargets, sender }: Pick<AutomationDeps, 'allowedTargets' | 'sender'>,
  url: string,
): Promise<void> {
  const { host, isExempt } = readWebhookUrl(url, allowedTargets);
  if (isExempt) return;
  try {
    await resolvePublic(sender.resolve, host);
  } catch (error) {
    if ((error as Error).name === 'AddressRefusedError') {
      throw invalidRequest('url must name a public host: it resolves to a private, local or special address');
    }
  }
}
