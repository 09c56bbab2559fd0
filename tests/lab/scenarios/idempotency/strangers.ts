/**
 * G-I3: a key that is reused for a different request never gets the first answer, and nothing runs twice for
 * it.
 */
import type { Prepared } from './accounts.ts';
import { codeOf, type Gateways, idOf } from './client.ts';
import type { Told } from './duplicates.ts';

export type StrangerFindings = { tried: number; wrong: string[]; told: Told[] };

export async function sendStrangers(
  gateways: Gateways,
  accounts: readonly Prepared[],
  told: readonly Told[],
): Promise<StrangerFindings> {
  const findings: StrangerFindings = { tried: 0, wrong: [], told: [] };
  for (const [index, one] of told.entries()) {
    // In turn, so that no account runs out of credits.
    const others = accounts.filter(account => account.accountId !== one.accountId);
    const stranger = others[index % others.length] as Prepared;
    const body = { appId: stranger.appId, type: 'slideshow' };
    const [other, route, foreign] = await Promise.all([
      gateways.post(index, { ...one, body: { ...(one.body as object), brief: { topic: 'evenings' } } }),
      gateways.post(index + 1, {
        ...one,
        path: '/api/v1/schedules',
        body: { contentId: one.id, tiktokAccountId: 'account_none' },
      }),
      gateways.post(index + 2, { token: stranger.token, key: one.key, body }),
    ]);
    findings.tried += 3;
    if (other.status !== 400 || codeOf(other) !== 'invalid_request')
      findings.wrong.push(`another body: ${other.status} ${other.text.slice(0, 150)}`);
    // Scheduling is not started here, or does not know the account: a different answer either way.
    if (route.status < 400 || route.isReplay)
      findings.wrong.push(`another route: ${route.status} ${route.text}`);
    if (foreign.status === 201 && idOf(foreign) !== one.id) {
      const { accountId, token } = stranger;
      findings.told.push({ accountId, token, key: one.key, body, text: foreign.text, id: idOf(foreign) });
    } else if (foreign.status !== 400) {
      findings.wrong.push(`another account: ${foreign.status} ${foreign.text.slice(0, 150)}`);
    }
  }
  return findings;
}
