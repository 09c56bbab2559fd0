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

const ofFeed = new Set([
  'createContent',
  'duplicateContent',
  'approveContent',
  'rejectContent',
  'requestChanges',
]);

/**
 * The kind of resource that a successful request of this route changed; null for none that a stream reports.
 */
export function changedKind(route: { id: string; method: string; path: string }): ChangeKind | null {
  if (route.method === 'GET' || ofFeed.has(route.id)) return null;
  return kinds[route.path.split('/')[1] ?? ''] ?? null;
}

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
    case 'automation':
      return [{ kind: 'automation', id: resourceId }];
    case 'account':
      return [{ kind: 'account', id: resourceId }];
    case 'credits':
      return [{ kind: 'credits', id: null }];
    default:
      return [];
  }
}
