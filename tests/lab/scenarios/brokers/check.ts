/** Judges a brokers run from its history alone. */
import { openVerdicts, type Verdicts } from '../../kit/checks/verdict.ts';
import { type BrokersLine, keyOf } from './history.ts';

export const kept = 'every acknowledged message arrives';
export const order = 'messages of a key arrive first in the order they were published';

export type BrokersFigures = {
  acknowledged: number;
  received: number;
  /** Deliveries after the first. */
  duplicates: number;
  /** Calls of `publish` that threw. */
  refused: number;
  /** Of those, the ones where kafkajs resolved without an acknowledgement of every partition. */
  caught: number;
};

export function checkBrokers(history: readonly BrokersLine[]): {
  verdicts: Verdicts;
  figures: BrokersFigures;
} {
  const verdicts = openVerdicts([kept, order]);
  const sent = new Set<string>();
  const acknowledged = new Set<string>();
  const received = new Set<string>();
  const lastOfKey = new Map<string, number>();
  const figures = { acknowledged: 0, received: 0, duplicates: 0, refused: 0, caught: 0 };
  for (const line of history) {
    if (line.kind === 'sending' || line.kind === 'acknowledged') {
      const into = line.kind === 'sending' ? sent : acknowledged;
      for (let at = line.from; at < line.from + line.count; at += 1) into.add(`${line.publisher} ${at}`);
    }
    if (line.kind === 'refused') {
      figures.refused += 1;
      if (/no broker acknowledged/.test(line.why)) figures.caught += 1;
    }
    if (line.kind !== 'received') continue;
    for (const [publisher, number] of line.messages) {
      const id = `${publisher} ${number}`;
      if (received.has(id)) {
        figures.duplicates += 1;
        continue;
      }
      received.add(id);
      const key = keyOf(publisher, number);
      const last = lastOfKey.get(key) ?? -1;
      if (number < last) verdicts.find(order, 'unexpected', `${key}: ${number} after ${last}`);
      lastOfKey.set(key, Math.max(last, number));
    }
  }
  for (const id of acknowledged) verdicts.find(kept, received.has(id) ? 'ok' : 'lost', id);
  for (const id of received) if (!sent.has(id)) verdicts.find(kept, 'unexpected', id);
  for (const key of lastOfKey.keys()) verdicts.find(order, 'ok', key);
  return { verdicts, figures: { ...figures, acknowledged: acknowledged.size, received: received.size } };
}
