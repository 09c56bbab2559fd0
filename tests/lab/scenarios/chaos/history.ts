/** The history of a run. Times are milliseconds of the epoch, by the recorder's monotonic clock. */
import type { Revocation } from '../../kit/checks/check-revocations.ts';
import type { Counted } from '../../kit/checks/check-windows.ts';
import type { Arrival } from '../../kit/servers/receivers.ts';

export type Decision = 'approve' | 'reject';

export type ChaosLine =
  | { kind: 'customer'; account: number; appId: string; endpoints: number[] }
  /** A deck that was made and approved before the faults. */
  | { kind: 'deck'; account: number; contentId: string }
  /** Fires at every full minute from then on. */
  | { kind: 'automation'; account: number; automationId: string; doneMs: number }
  | { kind: 'paused'; automationId: string; sentMs: number }
  | ({ kind: 'asked'; operation: string; code: string | null } & Counted)
  | Created
  | Decided
  | Wanted
  | { kind: 'scheduled'; title: string; id: string }
  | { kind: 'refused'; title: string; code: string }
  /** `DELETE` of a schedule; status 0: no answer. */
  | { kind: 'withdrawn'; title: string; status: number }
  | ({ kind: 'revoked' } & Revocation)
  /** A message that is no event, published with this key. */
  | { kind: 'poison'; topic: string; key: string }
  | { kind: 'fault'; what: string; whom: string }
  /** A replica that ended although nobody killed it, with the last that it printed. */
  | { kind: 'fell'; whom: string; text: string }
  /** A gateway said that it counts alone; or all did, while Redis was away until then. */
  | { kind: 'alone'; sinceMs: number; untilMs: number; hasRedisForgotten: boolean }
  | { kind: 'healed' }
  /** A replica was ready after the healing; `afterMs` null: it was not, in the time allowed. */
  | { kind: 'ready'; service: string; replica: number; afterMs: number | null }
  | { kind: 'settled'; afterMs: number; left: string[] }
  | Arrival;

/** A 201 of `POST /content`. */
export type Created = {
  kind: 'created';
  account: number;
  /** `Idempotency-Key`. */
  key: string;
  contentId: string;
  /** SHA-256 (hex) of the body as it came. */
  digest: string;
  isPostable: boolean;
  /** When it was asked for again, after the healing. */
  isAfterwards: boolean;
};

export type Decided = {
  kind: 'decided';
  contentId: string;
  decision: Decision;
  sentMs: number;
  doneMs: number;
  /** 0: no answer, and perhaps decided. */
  status: number;
};

/** A schedule that a client asks for, known by its title, which the platform keeps with the post. */
export type Wanted = {
  kind: 'wanted';
  title: string;
  contentId: string;
  account: string;
  scheduledFor: string;
  /** To be published, and asked for with a key that may not publish: it must never become a post. */
  isWithoutScope: boolean;
};
