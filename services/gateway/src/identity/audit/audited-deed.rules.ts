import type { AuditAction, AuditEntry } from './record.ts';

type Kind = AuditEntry['subject']['kind'];

const deeds: Readonly<Record<string, readonly [AuditAction, Kind]>> = {
  createWebhook: ['webhook.created', 'webhook'],
  updateWebhook: ['webhook.changed', 'webhook'],
  deleteWebhook: ['webhook.deleted', 'webhook'],
  createAutomation: ['automation.created', 'automation'],
  updateAutomation: ['automation.changed', 'automation'],
  deleteAutomation: ['automation.deleted', 'automation'],
  confirmAutomation: ['automation.confirmed', 'automation'],
  updateApp: ['app.changed', 'app'],
  refreshApp: ['app.changed', 'app'],
  addPicture: ['app.changed', 'app'],
  deletePicture: ['app.changed', 'app'],
  reviewApp: ['app.reviewed', 'app'],
  deleteApp: ['app.deleted', 'app'],
  setTextModel: ['text_model.connected', 'workspace'],
  changeTextModel: ['text_model.changed', 'workspace'],
  deleteTextModel: ['text_model.removed', 'workspace'],
};

/** Fields whose value is short and no secret. */
const told = ['approvalMode', 'postingMode', 'privacyLevel', 'provider', 'model', 'learns'];

/** The audit log names the fields that were sent. Is null for requests that it does not report. */
export function auditedDeed(
  contractId: string,
  { id }: { id?: string },
  body: unknown,
): Pick<AuditEntry, 'action' | 'subject' | 'detail'> | null {
  const [action, kind] = deeds[contractId] ?? [];
  if (!action || !kind) return null;
  const sent = fieldsOf(body);
  const values = Object.fromEntries(Object.entries(sent).filter(([name]) => told.includes(name)));
  return {
    action,
    // The id of something new is in the answer alone, which `requestId` finds.
    subject: { kind, id: id ?? null },
    detail: {
      request: contractId,
      fields: Object.keys(sent).slice(0, 20),
      ...values,
      ...hostOf(sent.url ?? sent.baseUrl),
    },
  };
}

function hostOf(url: unknown): { host?: string } {
  return typeof url === 'string' && URL.canParse(url) ? { host: new URL(url).host } : {};
}

function fieldsOf(body: unknown): Record<string, unknown> {
  try {
    return (JSON.parse(String(body)) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
