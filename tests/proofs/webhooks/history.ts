/** The history of `npm run test:webhooks`: what the API acknowledged, what reached an endpoint, what was done to the product. */
export type Phase = 'calm' | 'faults' | 'settling' | 'take-over';

export type WebhookLine =
  | { kind: 'phase'; phase: Phase }
  | { kind: 'endpoint'; endpoint: number; account: number; isFlapping: boolean }
  | { kind: 'content'; account: number; contentId: string }
  | { kind: 'decision'; contentId: string; decision: 'approve' | 'reject' }
  | { kind: 'kill'; service: string }
  | { kind: 'replay'; endpoint: number }
  | Arrival;

/** One request at an endpoint, judged where it arrived. */
export type Arrival = {
  kind: 'arrived';
  endpoint: number;
  /** `webhook-id`. */
  id: string;
  /** `job:<id>` or `content:<id>`, out of the body. */
  resource: string;
  sequence: number;
  /** SHA-256 (hex) of the raw body. */
  digest: string;
  /** What the reference library says with each secret that a receiver may hold at that moment. */
  isGenuine: boolean;
  /** Both secrets of a rotation were tried and each was enough. */
  isOfRotation: boolean;
  /** True: answered 2xx. False: refused, dropped or left hanging on purpose. */
  isTaken: boolean;
};
