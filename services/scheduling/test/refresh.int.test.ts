import type { Caller } from '@hookline/shared/caller';
import type { TestService } from '@hookline/shared/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.ts';

const rounds = 5;
const asksPerReplica = 3;

let world: World;
let replicas: TestService[];
beforeAll(async () => {
  world = await startWorld({ role: 'api' });
  replicas = [world.service, await world.startAnother(), await world.startAnother()];
});
afterAll(async () => {
  await world.stop();
});

describe('token refresh over replicas', () => {
  it(`is asked for once, however many want the token at once (${rounds} rounds)`, async () => {
    const { caller, content, account } = await world.ready(2);
    // Every token call is counted, and held long enough for all others to meet it.
    await world.setFaults({ operation: 'oauth_token', kind: 'slow', delayMs: 150 });
    const query = `tiktokAccountId=${account.id}&mode=publish&privacyLevel=SELF_ONLY`;
    for (let round = 1; round <= rounds; round += 1) {
      await world.service.db.query(
        'update platform_accounts set access_expires_at = now(), checked_at = null where id = $1',
        [account.id],
      );
      const answers = await Promise.all(
        replicas.flatMap(replica =>
          Array.from({ length: asksPerReplica }, () =>
            preflight(replica, caller, `/v1/content/${content.id}/preflight?${query}`),
          ),
        ),
      );
      expect(answers).toEqual(answers.map(() => ({ postable: true, problems: [] })));
      const [fault] = await world.control('GET', 'faults');
      expect(fault.hits).toBe(round);
    }
    const { body } = await world.call(caller, 'GET', '/v1/accounts');
    expect(body.data[0].status).toBe('connected');
  });
});

async function preflight(replica: TestService, caller: Caller, path: string): Promise<unknown> {
  const { body } = await replica.call('GET', path, { caller });
  return (body as { data: unknown }).data;
}
