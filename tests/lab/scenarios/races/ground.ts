/** The environment of the races: lanes of real creators, without the limit on their pace. */
import type { Database } from '@hookline/shared/postgres';
import type { Schedule } from '../../kit/clients/api.ts';
import type { Creators } from '../../kit/clients/creators.ts';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import type { Lane } from './delete-races.ts';

export type Ground = { product: DistributedProduct; db: Database; lanes: Lane[] };

export function lanesOf({ client, contentIds, accounts }: Creators): Lane[] {
  const { api, key } = client;
  return accounts.map(account => ({
    async create(title, scheduledFor) {
      const body = { contentId: contentIds[0], tiktokAccountId: account.id, title };
      const answer = await api<Schedule>('POST', '/schedules', {
        token: key,
        body: { ...body, scheduledFor: scheduledFor.toISOString() },
      });
      if (answer.error) throw new Error(`${title} was refused: ${answer.text}`);
      return answer.data.id;
    },
    async remove(id) {
      const answer = await api('DELETE', `/schedules/${id}`, { token: key });
      return answer.status === 200 ? 'deleted' : (answer.error?.code ?? `status ${answer.status}`);
    },
  }));
}

/** `posting` proves the limit of 6 posts a minute; here it would only make the run take hours. */
export async function resetPace(db: Database): Promise<void> {
  await db.query(`update scheduling.creators set init_stamps = '{}', next_init_at = null`);
}
