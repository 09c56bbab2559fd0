/** The history of a run: the API's acknowledgements, the arrivals at endpoints, the faults. */
import type { Arrival } from '../../kit/servers/receivers.ts';

export type Phase = 'calm' | 'faults' | 'settling' | 'take-over';

export type WebhookLine =
  | { kind: 'phase'; phase: Phase }
  | { kind: 'endpoint'; endpoint: number; account: number; isFlapping: boolean }
  | { kind: 'content'; account: number; contentId: string }
  | { kind: 'decision'; contentId: string; decision: 'approve' | 'reject' }
  | { kind: 'kill'; service: string }
  | { kind: 'replay'; endpoint: number }
  | Arrival;
