import { listSlides } from '@hookline/deck';
import { ApiError, notFound } from '@hookline/shared/contracts';
import type * as contracts from '@hookline/shared/contracts/internal';
import type { Caller } from '@hookline/shared/http';
import { hourMs } from '@hookline/shared/kernel/durations';
import type { z } from 'zod';
import { findApp } from '../apps/queries.ts';
import { onceSettled } from '../contents/once-settled.ts';
import { findContent } from '../contents/queries.ts';
import type { ContentRow, ContentWithImages } from '../contents/record.ts';
import { refusalUnlessReady } from '../contents/send-state.rules.ts';
import type { ContentDeps } from '../deps.ts';
import { requirePolicy } from './policy.rules.ts';
import { askForChanges } from './request-changes.ts';
import { authorsOf, reviewContent } from './review-content.ts';

type Asked = z.output<typeof contracts.reviewByLink.body> & {
  /** Whoever made the link. */
  caller: Caller;
  contentId: string;
  requestId: string;
};

/** @returns what the link shows, after the decision if there is one */
export async function reviewByLink(deps: ContentDeps, asked: Asked) {
  const { caller, contentId, decision } = asked;
  const content = await findContent(deps.db, caller.accountId, contentId);
  if (!content) throw notFound('content');
  requireShowable(content, asked.version);
  const shown = decision ? await decide(deps, asked, content, decision) : content;
  return await toSharedDeck(deps, asked, shown);
}

function requireShowable({ status, version }: ContentRow, wanted: number | null): void {
  const refusal = refusalUnlessReady(status);
  if (refusal) throw new ApiError(refusal.code, refusal.message);
  if (wanted === null || wanted === version) return;
  throw new ApiError(
    'not_ready',
    'There is a newer version than this link shows. Ask for a link to that one.',
  );
}

async function decide(
  deps: ContentDeps,
  { caller, contentId, requestId }: Asked,
  { version }: ContentRow,
  { kind, by, reason }: NonNullable<Asked['decision']>,
): Promise<ContentWithImages> {
  if (!caller.scopes.includes('content:approve')) {
    throw new ApiError('missing_scope', 'Whoever made this link may no longer approve or reject.');
  }
  const seen = { version, approvalStatus: 'pending' } as const;
  const review = { caller, contentId, seen, by };
  return await onceSettled(() =>
    deps.db.transaction(tx =>
      kind === 'changes_requested'
        ? askForChanges(deps, tx, { ...review, reason: reason ?? '' })
        : reviewContent(deps, tx, { ...review, decision: kind, reason: reason ?? undefined, requestId }),
    ),
  );
}

async function toSharedDeck(
  { db, links, now }: ContentDeps,
  { caller, linkId }: Asked,
  content: ContentWithImages,
) {
  const { accountId, appId, version, approvalStatus, changesRequested, result, images, brief } = content;
  if (!result) throw new Error('a ready content has a result');
  const app = await findApp(db, accountId, appId);
  const slides = listSlides(result, brief?.ctaMode).map(({ text }, index) => {
    const image = images.find(candidate => candidate.index === index + 1);
    const urls = image ? links.slideUrls(image.imageId, now(), hourMs) : { url: null, thumbnailUrl: null };
    return { text, ...urls };
  });
  return {
    handle: app?.brand?.handle ?? app?.name ?? '',
    version,
    approvalStatus,
    caption: result.caption,
    hashtags: result.hashtags,
    slides,
    decided: decisionBy(linkId, content),
    mayDecide: approvalStatus === 'pending' && changesRequested === null && mayDecide(caller, content),
  };
}

function decisionBy(linkId: string | undefined, row: ContentRow) {
  const { decision, decidedBy, decisionReason, changesRequested: asked } = row;
  const last = asked
    ? { decision: 'changes_requested' as const, ...asked }
    : decision && decidedBy && { decision, by: decidedBy, reason: decisionReason };
  if (!last || last.by.id !== linkId) return null;
  return { decision: last.decision, name: last.by.name, reason: last.reason };
}

function mayDecide(caller: Caller, content: ContentRow): boolean {
  try {
    requirePolicy(caller, { version: content.version }, authorsOf(content));
    return caller.scopes.includes('content:approve');
  } catch {
    return false;
  }
}
