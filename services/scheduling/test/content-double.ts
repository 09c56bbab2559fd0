/** Stands in for the content service: its internal routes over state that a test sets. */

import { ApiError, notFound } from '@hookline/shared/contracts';
import type { EventContent } from '@hookline/shared/contracts/content';
import {
  findApp,
  getContentForPosting,
  imageBytesPath,
  requestSendPermit,
  requestSendPermits,
} from '@hookline/shared/contracts/internal';
import { addInternalRoute, createCallVerifier, createServiceServer } from '@hookline/shared/http';
import { createLogger, loadSettings, newId } from '@hookline/shared/kernel';
import { jpeg } from '@hookline/testing/jpeg';
import { signingKeysFor } from '@hookline/testing/service-harness';

export type ContentDouble = {
  url: string;
  /** Adds an approved quote-card deck of `slides` slides, owned by the account. */
  addDeck(accountId: string, change?: Partial<EventContent> & { slides?: number }): EventContent;
  contents: Map<string, { accountId: string; content: EventContent }>;
  images: Map<string, Buffer>;
  /** App id to owner. */
  apps: Map<string, string>;
  /** Ids of schedules that hold a permit. */
  permits: Set<string>;
  /** If set, permits are answered with 503. */
  isAway: boolean;
  /** Permits are answered once it settles. */
  permitsAfter: Promise<void> | null;
  /** Contents are read once it settles. */
  readsAfter: Promise<void> | null;
  close(): Promise<void>;
};

export async function startContentDouble(): Promise<ContentDouble> {
  const log = createLogger({ service: 'content', level: 'silent' });
  const { SERVICE_SIGNING_KEYS } = loadSettings(['SERVICE_SIGNING_KEYS'], {
    SERVICE_SIGNING_KEYS: signingKeysFor('content'),
  });
  const app = createServiceServer({
    log,
    verifyCall: createCallVerifier(SERVICE_SIGNING_KEYS ?? [], 'content'),
    readiness: [],
  });
  const double: ContentDouble = {
    url: '',
    contents: new Map(),
    images: new Map(),
    apps: new Map(),
    permits: new Set(),
    isAway: false,
    permitsAfter: null,
    readsAfter: null,
    addDeck(accountId, { slides = 3, ...change } = {}) {
      const content = deck(slides, change);
      for (const image of content.images) {
        double.images.set(image.imageId, jpeg(1080, 1350, `${content.id} ${image.index}`));
      }
      double.contents.set(content.id, { accountId, content });
      return content;
    },
    close: () => app.close(),
  };
  addInternalRoute(app, getContentForPosting, async ({ params, call }) => {
    await double.readsAfter;
    const found = double.contents.get(params.id ?? '');
    if (!found || found.accountId !== call.caller?.accountId) throw notFound('content');
    return { content: found.content };
  });
  addInternalRoute(app, findApp, async ({ params, call }) => ({
    exists: double.apps.get(params.id ?? '') === call.caller?.accountId,
  }));
  const permit = (
    contentId: string,
    {
      accountId,
      scheduleId,
      version,
    }: { accountId: string; scheduleId: string; version?: number | undefined },
  ) => {
    if (double.isAway) throw new ApiError('service_unavailable');
    const found = double.contents.get(contentId);
    if (!found || found.accountId !== accountId) {
      return { granted: false as const, code: 'not_found' as const, approvalStatus: null };
    }
    const { content } = found;
    // Every earlier version was approved.
    const isEarlier = version !== undefined && version < content.version;
    if (!isEarlier && content.approvalStatus !== 'approved') {
      return {
        granted: false as const,
        code: 'not_approved' as const,
        approvalStatus: content.approvalStatus,
      };
    }
    double.permits.add(scheduleId);
    return { granted: true as const, content: isEarlier ? { ...content, version } : content };
  };
  addInternalRoute(app, requestSendPermit, async ({ params, body }) => {
    await double.permitsAfter;
    return permit(params.id ?? '', body);
  });
  addInternalRoute(app, requestSendPermits, async ({ body }) => {
    await double.permitsAfter;
    return { answers: body.permits.map(asked => permit(asked.contentId, asked)) };
  });
  app.get<{ Params: { id: string } }>(imageBytesPath.replace('{id}', ':id'), async (request, reply) => {
    const bytes = double.images.get(request.params.id);
    if (!bytes) throw new ApiError('slide_missing');
    return reply.type('image/jpeg').send(bytes);
  });
  double.url = await app.listen({ port: 0, host: '127.0.0.1' });
  return double;
}

function deck(slides: number, change: Partial<EventContent>): EventContent {
  const at = new Date().toISOString();
  const by = { kind: 'person' as const, id: 'user_maya', name: 'Maya' };
  return {
    id: newId('content'),
    appId: 'product_one',
    type: 'slideshow',
    status: 'ready',
    approvalStatus: 'approved',
    result: {
      hook: '5 habits small enough for a bad day',
      hookOptions: ['5 habits small enough for a bad day'],
      bodySlides: Array.from({ length: slides - 2 }, (_, index) => ({ text: `Advice ${index + 1}` })),
      ctaSoft: 'Pebblo keeps the tiny version ready.',
      ctaHard: 'Try Pebblo.',
      caption: 'Small enough to do tired.',
      hashtags: ['#habits', '#tiny'],
    },
    costCharged: 1,
    writer: null,
    freshness: null,
    templateId: 'quote-card',
    version: 1,
    brief: { templateId: 'quote-card' },
    images: Array.from({ length: slides }, (_, index) => ({
      imageId: newId('image'),
      index: index + 1,
      width: 1080,
      height: 1350,
      bytes: 100,
      contentType: 'image/jpeg',
    })),
    approval: { version: 1, decision: 'approved', decidedAt: at, keyId: null, by, reason: null },
    changesRequested: null,
    experimentId: null,
    origin: null,
    externalId: null,
    metadata: null,
    createdAt: at,
    updatedAt: at,
    ...change,
  };
}
