/** Records for the fuzzer to find: without them most of its requests end in 404. */
import { randomBytes } from 'node:crypto';
import { dayMs } from '@hookline/shared/kernel/durations';
import { apiOf } from '../../kit/clients/api.ts';

type FirstRun = { baseUrl: string; apiKey: string; appId: string; accountId: string };

/** Ids by the first segment of a path; several of each, because the fuzzer deletes some. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

const each = 8;

/** @param session whose keys the fuzzer may revoke */
export async function makeKnownIds(firstRun: FirstRun, session: string): Promise<KnownIds> {
  const api = apiOf(firstRun.baseUrl);
  const make = async (path: string, body: unknown, token = firstRun.apiKey): Promise<string> => {
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const answer = await api<{ id: string }>('POST', path, { token, body, headers });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.text}`);
    return answer.data.id;
  };
  const { appId, accountId: tiktokAccountId } = firstRun;
  const ids: Record<string, string[]> = { apps: [appId], accounts: [tiktokAccountId] };
  const add = (tag: string, id: string) => {
    ids[tag] = [...(ids[tag] ?? []), id];
  };
  const tomorrow = new Date(Date.now() + dayMs).toISOString();
  for (let n = 0; n < each; n += 1) {
    const brief = { templateId: 'quote-card', slideCount: 2 };
    const contentId = await make('/content', { appId, type: 'slideshow', brief });
    add('content', contentId);
    if (n % 2 === 0) {
      await make(`/content/${contentId}/approve`, {});
      add('schedules', await make('/schedules', { contentId, tiktokAccountId, scheduledFor: tomorrow }));
    }
    const postingTimes = [{ time: '04:00', days: ['mon'] }];
    add(
      'automations',
      await make('/automations', { appId, tiktokAccountId, format: 'slideshow', postingTimes }),
    );
    const events = ['content.approved'];
    add('webhooks', await make('/webhooks', { url: 'https://example.com/hook', events }));
    const accessToken = `simulator-token-fuzz_${n}`;
    add('analytics', await make('/analytics/sources', { platform: 'instagram', accessToken }, session));
    add('keys', await make('/keys', { name: 'to be revoked', scopes: ['apps:read'] }, session));
  }
  ids.jobs = ids.content ?? [];
  return ids;
}
