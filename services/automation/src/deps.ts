import type { Caller } from '@hookline/shared/http';
import {
  createMediaLinks,
  createSecretBox,
  type MediaLinks,
  requireSettings,
  type SecretBox,
} from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { ServiceRuntime } from '@hookline/shared/service';
import { createWebhookSender, type WebhookSender } from './receivers/sender.ts';
import type { automationSettings } from './settings.ts';

export type AutomationRuntime = ServiceRuntime<typeof automationSettings>;

export type AutomationDeps = Pick<AutomationRuntime, 'db' | 'log' | 'now' | 'peers'> & {
  secretBox: SecretBox;
  links: MediaLinks;
  allowedTargets: ReadonlySet<string>;
  sender: WebhookSender;
  retentionDays: number;
};

export type WriteContext = { tx: Transaction; caller: Caller; now: Date };

export function createDeps({ db, log, now, peers, settings, shutdown }: AutomationRuntime): AutomationDeps {
  const needed = requireSettings(
    settings,
    ['PUBLIC_URL', 'ENCRYPTION_KEYS', 'MEDIA_SIGNING_KEY'],
    'the automation service cannot work without',
  );
  const allowedTargets = settings.WEBHOOK_ALLOW_TARGETS;
  const sender = createWebhookSender({ allowedTargets });
  shutdown.add('stores', 'webhook sockets', () => sender.close());
  return {
    db,
    log,
    now,
    peers,
    secretBox: createSecretBox(needed.ENCRYPTION_KEYS),
    links: createMediaLinks(needed.PUBLIC_URL, needed.MEDIA_SIGNING_KEY),
    allowedTargets,
    sender,
    retentionDays: settings.EVENT_RETENTION_DAYS,
  };
}
