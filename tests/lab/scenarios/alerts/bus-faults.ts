import { randomBytes } from 'node:crypto';
import { deleteDealtWith, eachDeadLetter, redriveGroup } from '@hookline/shared/bus';
import { type AlertFault, change, hold, keepDoing } from './fault.ts';
import type { Ground } from './ground.ts';

let nth = 0;

/** Approves one content after another: each is an event, and a webhook where one is registered. */
async function decide({ creators: { client }, toDecide }: Ground): Promise<void> {
  const at = nth++;
  const id = toDecide[at % toDecide.length];
  const decision = Math.floor(at / toDecide.length) % 2 === 0 ? 'reject' : 'approve';
  await client.api('POST', `/content/${id}/${decision}`, { token: client.key });
}

async function registerWebhook({ creators: { client }, receiver }: Ground): Promise<() => Promise<void>> {
  const made = await client.api<{ id: string }>('POST', '/webhooks', {
    token: client.key,
    body: {
      url: receiver.url(randomBytes(4).toString('hex')),
      events: ['content.approved', 'content.rejected'],
    },
  });
  if (made.error) throw new Error(made.text);
  return async () => {
    await client.api('DELETE', `/webhooks/${made.data.id}`, { token: client.key });
  };
}

/** Unknown messages behind one that is being processed: with its key, and therefore in its partition. */
async function fill(ground: Ground, messages: number): Promise<void> {
  const { client } = ground.creators;
  const [id = ''] = ground.toDecide;
  await client.api('POST', `/content/${id}/reject`, { token: client.key });
  await client.api('POST', `/content/${id}/approve`, { token: client.key });
  const headers = {
    ce_specversion: '1.0',
    ce_type: 'content.unheard_of',
    ce_source: '/services/content',
    ce_subject: id,
    ce_time: new Date().toISOString(),
    ce_dataversion: '1',
    ce_accountid: 'acct_0',
    ce_sequence: '1',
    traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
  };
  const batch = Array.from({ length: messages }, (_, at) => ({
    topic: 'content.approvals',
    key: id,
    value: '{}',
    headers: { ...headers, ce_id: `event_proof_${at}` },
  }));
  await ground.bus.publish(batch);
}

export const busFaults: readonly AlertFault[] = [
  {
    name: 'a receiver that takes 6 s',
    alerts: ['WebhooksSlow'],
    async provoke(ground) {
      const remove = await registerWebhook(ground);
      ground.receiver.delayMs = 6_000;
      const end = keepDoing(() => decide(ground), 500);
      return async () => {
        await end();
        ground.receiver.delayMs = 0;
        await remove();
      };
    },
  },
  {
    name: 'a receiver that hangs',
    alerts: ['WebhooksOverdue'],
    async provoke(ground) {
      const remove = await registerWebhook(ground);
      ground.receiver.delayMs = null;
      const end = keepDoing(() => decide(ground), 250);
      return async () => {
        await end();
        ground.receiver.delayMs = 0;
        await remove();
      };
    },
  },
  {
    name: 'a message that is no event',
    alerts: ['DeadLetters'],
    async provoke({ bus }) {
      const topic = 'content.approvals';
      await bus.publish([{ topic, key: 'nobody', value: 'nonsense', headers: {} }]);
      // As `npm run ops -- redrive --discard` does.
      return async () => {
        await eachDeadLetter(bus, { topics: [topic], group: redriveGroup, each: async () => {} });
        await deleteDealtWith(bus, [topic]);
      };
    },
  },
  {
    name: 'an event larger than the broker takes',
    alerts: ['OutboxDead'],
    provoke: ground =>
      change(
        ground,
        `insert into analytics.outbox (event_id, topic, key, payload, headers)
         values ('event_too_large', 'content.approvals', 'nobody', repeat('x', 6000000), '{}')`,
        'delete from analytics.outbox_dead',
      ),
  },
  {
    name: 'a lock keeps a consumer from its table',
    alerts: ['ConsumerStuck', 'ConsumerLags'],
    async provoke(ground) {
      const release = await hold(ground, 'lock table automation.feed_heads in exclusive mode');
      await fill(ground, 1_500);
      return release;
    },
  },
  {
    name: 'a relay that hangs and keeps its lock',
    alerts: ['OutboxStuck'],
    async provoke(ground) {
      const ender = await ground.connect();
      // First in the queue for the lock, before the leader's session is ended.
      const waiter = await ground.connect();
      const holding = waiter.query(
        `select pg_advisory_lock(hashtext('hookline outbox'), hashtext('content'))`,
      );
      await ender.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'content outbox relay'`,
      );
      await holding;
      const end = keepDoing(() => decide(ground), 500);
      return async () => {
        await waiter.query('select pg_advisory_unlock_all()');
        await end();
      };
    },
  },
];
