/** The history of a run. Times are milliseconds of the epoch, by the recorder's monotonic clock. */
import type { Revocation } from '../../kit/checks/check-revocations.ts';
import type { Counted } from '../../kit/checks/check-windows.ts';
import type { Arrival } from '../../kit/servers/receivers.ts';

export type Decision = 'approve' | 'reject';

export type ChaosLine =
  | { kind: 'customer'; account: number; appId: string; endpoints: number[] }
  /** A deck created and approved before the faults. */
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
  /** A message that is not an event, published with this key. */
  | { kind: 'poison'; topic: string; key: string }
  | { kind: 'fault'; what: string; whom: string }
  /** A replica that ended without being killed, with its last output. */
  | { kind: 'fell'; whom: string; text: string }
  /** A gateway reported that it counts alone; or all of them, while Redis was down until then. */
  | { kind: 'alone'; sinceMs: number; untilMs: number; hasRedisForgotten: boolean }
  | { kind: 'healed' }
  /** A replica was ready after the healing; `afterMs` is null when it was not within the time limit. */
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
  /** SHA-256 (hex) of the raw body. */
  digest: string;
  isPostable: boolean;
  /** When it was requested again, after the healing. */
  isAfterwards: boolean;
};

export type Decided = {
  kind: 'decided';
  contentId: string;
  decision: Decision;
  sentMs: number;
  doneMs: number;
  /** 0: no answer, possibly decided. */
  status: number;
};

/** A schedule that a client requests, identified by its title, which the platform keeps with the post. */
export type Wanted = {
  kind: 'wanted';
  title: string;
  contentId: string;
  account: string;
  scheduledFor: string;
  /** To be published, but requested with a key that may not publish: it must never become a post. */
  isWithoutScope: boolean;
};
