import { recordOf } from '@hookline/shared/contracts/rows';
import { AuditEvent } from '@hookline/shared/contracts/workspace';

/**
 * Who did something: a person in a session, a key, an automation that approves its own content, an operator,
 * or somebody who could not prove who they are.
 */
export type AuditActor = {
  kind: 'person' | 'key' | 'automation' | 'reviewer' | 'operator' | 'anonymous';
  id: string | null;
  name: string | null;
};

/** Somebody who is unknown, or could not prove who they are. */
export const anonymousActor: AuditActor = { kind: 'anonymous', id: null, name: null };

export type By = { actor: AuditActor; address: string | null; requestId: string | null };

export type AuditAction =
  | 'auth.sign_up'
  | 'auth.sign_in'
  | 'auth.sign_in_failed'
  | 'auth.second_factor_asked'
  | 'auth.password_changed'
  | 'auth.identity_linked'
  | 'auth.passkey_added'
  | 'auth.passkey_removed'
  | 'auth.recovery_codes_made'
  | 'key.created'
  | 'key.revoked'
  | 'key.work_disabled'
  | 'member.invited'
  | 'member.invitation_withdrawn'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'content.approved'
  | 'content.rejected'
  | 'content.changes_requested'
  | 'review_link.created'
  | 'review_link.withdrawn'
  | 'account.connected'
  | 'account.disconnected'
  | 'webhook.secret_rotated'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'automation.created'
  | 'automation.changed'
  | 'automation.deleted'
  | 'automation.confirmed'
  | 'app.changed'
  | 'app.reviewed'
  | 'app.deleted'
  | 'text_model.connected'
  | 'text_model.changed'
  | 'text_model.removed'
  | 'policy.changed'
  | 'sending.paused'
  | 'sending.resumed'
  | 'workspace.export_requested'
  | 'workspace.export_downloaded'
  | 'workspace.deletion_requested'
  | 'workspace.restored'
  | 'operator.command';

export type AuditEntry = {
  accountId: string;
  action: AuditAction;
  subject: {
    kind:
      | 'user'
      | 'key'
      | 'invitation'
      | 'workspace'
      | 'content'
      | 'account'
      | 'webhook'
      | 'automation'
      | 'app'
      | 'export';
    id: string | null;
  };
  detail?: Record<string, unknown>;
};

export type AuditRow = AuditEntry & {
  id: string;
  /** Order of the rows of an account. */
  position: string;
  at: Date;
  actor: AuditActor;
  address: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
};

export function toAuditEvent(row: AuditRow): AuditEvent {
  return recordOf(AuditEvent, row);
}

export type From = { address: string; requestId: string; client: string | null };

export const byOperator: By = {
  actor: { kind: 'operator', id: null, name: 'operator' },
  address: null,
  requestId: null,
};
