/**
 * One line of the history of a brokers run. A message is identified by its publisher and its number there,
 * from 0.
 */
export type BrokersLine =
  /** Before the first attempt. */
  | { kind: 'sending'; publisher: number; from: number; count: number }
  | { kind: 'refused'; publisher: number; from: number; why: string }
  /** `publish` resolved. */
  | { kind: 'acknowledged'; publisher: number; from: number; count: number }
  /** In the order in which the handler received them. */
  | { kind: 'received'; messages: [publisher: number, number: number][] }
  | { kind: 'fault'; what: 'SIGTERM' | 'SIGKILL'; broker: number }
  | { kind: 'in sync'; broker: number; afterMs: number }
  | { kind: 'settled'; afterMs: number; lag: number };

/** Number of keys that the messages of a publisher rotate through. */
const keysOfPublisher = 60;

export function keyOf(publisher: number, number: number): string {
  return `publisher ${publisher} key ${number % keysOfPublisher}`;
}
