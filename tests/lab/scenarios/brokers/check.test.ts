import { expect, it } from 'vitest';
import { checkBrokers } from './check.ts';
import { type BrokersLine, keysOfPublisher } from './history.ts';

const sending: BrokersLine = { kind: 'sending', publisher: 1, from: 0, count: 3 };
const acknowledged: BrokersLine = { ...sending, kind: 'acknowledged' };
const received = (...numbers: number[]): BrokersLine => ({
  kind: 'received',
  messages: numbers.map(number => [1, number]),
});

it('is green when all that was acknowledged arrived, repeated or not', () => {
  const { verdicts, figures } = checkBrokers([sending, acknowledged, received(0, 1, 2, 1)]);
  expect(verdicts.isGreen()).toBe(true);
  expect(figures).toMatchObject({ acknowledged: 3, received: 3, duplicates: 1 });
});

it('sees what was acknowledged and did not arrive, and asks nothing of what was not', () => {
  expect(checkBrokers([sending, acknowledged, received(0, 2)]).verdicts.counts()).toMatchObject({ lost: 1 });
  expect(checkBrokers([sending, received(0)]).verdicts.isGreen()).toBe(true);
});

it('sees what nobody sent', () => {
  expect(checkBrokers([sending, acknowledged, received(0, 1, 2, 3)]).verdicts.counts()).toMatchObject({
    unexpected: 1,
  });
});

it('sees a key out of order, unless the earlier message had arrived before', () => {
  const [later, again] = [keysOfPublisher, 2 * keysOfPublisher];
  const all: BrokersLine = { kind: 'sending', publisher: 1, from: 0, count: again + 1 };
  expect(checkBrokers([all, received(0, again, later)]).verdicts.isGreen()).toBe(false);
  expect(checkBrokers([all, received(0, later, 0, later, again)]).verdicts.isGreen()).toBe(true);
});

it('counts the sends that were caught', () => {
  const refused = (why: string): BrokersLine => ({ kind: 'refused', publisher: 1, from: 0, why });
  const { figures } = checkBrokers([
    refused('no broker acknowledged the messages of a 1'),
    refused('timeout'),
  ]);
  expect(figures).toMatchObject({ refused: 2, caught: 1 });
});
