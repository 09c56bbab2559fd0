/** What a stream says changed: by a request, and by an event of the feed. */

export type ChangeKind =
  | 'content'
  | 'schedule'
  | 'automation'
  | 'webhook'
  | 'account'
  | 'app'
  | 'credits'
  | 'member'
  | 'key';

export type Change = { kind: ChangeKind; id: string | null };

/** By the first segment of the path. Requests to other paths change nothing that a stream reports. */
const kinds: Readonly<Record<string, ChangeKind>> = {
  content: 'content',
  schedules: 'schedule',
  automations: 'automation',
  webhooks: 'webhook',
  accounts: 'account',
  apps: 'app',
  workspace: 'member',
  keys: 'key',
};

/** Whose effect the feed reports, once it has happened. */
const ofFeed = new Set(['createContent', 'approveContent', 'rejectContent']);

/**
 * The kind of resource that a successful request of this route changed; null for none that a stream reports.
 */
export function changedKind(route: { id: string; method: string; path: string }): ChangeKind | null {
  if (route.method === 'GET' || ofFeed.has(route.id)) return null;
  return kinds[route.path.split('/')[1] ?? ''] ?? null;
}

/** What an event of the feed changed. A type that this version does not know changed nothing. */
export function changesOfEvent({
  type,
  resourceId,
  automationId,
}: {
  type: string;
  resourceId: string;
  automationId: string | null;
}): Change[] {
  switch (type.split('.')[0]) {
    case 'job':
      return [
        { kind: 'content', id: resourceId },
        { kind: 'credits', id: null },
      ];
    case 'content':
      return [
        { kind: 'content', id: resourceId },
        ...(automationId === null ? [] : [{ kind: 'automation' as const, id: automationId }]),
      ];
    case 'schedule':
      return [{ kind: 'schedule', id: resourceId }];
    default:
      return [];
  }
}
