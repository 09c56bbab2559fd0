import {
  accountConnected,
  accountDisconnected,
  contentApproved,
  contentChangesRequested,
  contentRejected,
  webhookSecretRotated,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { recordEvent } from './record-event.ts';

export const auditLogConsumer: Consumer = {
  name: 'audit-log',
  reactions: [
    on(contentApproved, (tx, event) => {
      const { approval, result } = event.data.content;
      const detail = { hook: result?.hook ?? null, version: approval?.version ?? null };
      const by = approval?.by ?? null;
      return recordEvent(tx, event, { action: 'content.approved', kind: 'content', by, detail });
    }),
    on(contentRejected, (tx, event) => {
      const { approval, result } = event.data.content;
      const { version = null, reason = null } = approval ?? {};
      const detail = { hook: result?.hook ?? null, version, reason };
      const by = approval?.by ?? null;
      return recordEvent(tx, event, { action: 'content.rejected', kind: 'content', by, detail });
    }),
    on(contentChangesRequested, (tx, event) => {
      const { changesRequested, result, version } = event.data.content;
      const detail = { hook: result?.hook ?? null, version, reason: changesRequested?.reason ?? null };
      const by = changesRequested?.by ?? null;
      return recordEvent(tx, event, { action: 'content.changes_requested', kind: 'content', by, detail });
    }),
    on(accountConnected, (tx, event) => {
      const { by, account } = event.data;
      const detail = { username: account.username, displayName: account.displayName };
      return recordEvent(tx, event, { action: 'account.connected', kind: 'account', by, detail });
    }),
    on(accountDisconnected, (tx, event) => {
      const { by, account } = event.data;
      const detail = { username: account.username, displayName: account.displayName };
      return recordEvent(tx, event, { action: 'account.disconnected', kind: 'account', by, detail });
    }),
    on(webhookSecretRotated, (tx, event) => {
      const { by, overlapHours } = event.data;
      const detail = { overlapHours };
      return recordEvent(tx, event, { action: 'webhook.secret_rotated', kind: 'webhook', by, detail });
    }),
  ],
};
