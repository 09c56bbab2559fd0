import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/content';
import { getContentTimeline, timelineMax } from '@hookline/shared/contracts/content-timeline';
import { addRoute, addUnbuiltRoute, RawAnswer } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { openArchive } from './archive.ts';
import { editContent, previewEdit } from './edit.ts';
import { countContents, findContent, listContents } from './queries.ts';
import { listMoments } from './queries-timeline.ts';
import { type ContentWithImages, toContent, toMoment } from './record.ts';

const previewLifetimeMs = 10 * 60_000;

export function addContentRoutes(app: FastifyInstance, deps: ContentDeps): void {
  const record = (row: ContentWithImages, lifetimeMs?: number) =>
    toContent(row, id => deps.links.slideUrls(id, deps.now(), lifetimeMs));

  addRoute(app, contracts.listContent, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listContents(deps.db, caller.accountId, query, page);
    return toPage(rows, page, row => record(row));
  });

  addRoute(app, contracts.countContent, async ({ caller }) => ({
    data: await countContents(deps.db, caller.accountId, contracts.contentCountMax),
  }));

  addRoute(app, contracts.getContent, async ({ caller, params }) => {
    const row = await findContent(deps.db, caller.accountId, params.id);
    if (!row) throw notFound('content');
    return { data: record(row) };
  });

  addRoute(app, getContentTimeline, async ({ caller, params }) => {
    const rows = await listMoments(deps.db, caller.accountId, params.id, timelineMax);
    if (!rows) throw notFound('content');
    return { data: rows.map(toMoment) };
  });

  addRoute(app, contracts.getContentArchive, async ({ caller, params }) => {
    const archive = await openArchive(deps, caller, params.id);
    return new RawAnswer(200, archive, {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${params.id}.zip"`,
      'cache-control': 'private, no-store',
    });
  });

  addRoute(app, contracts.editContent, async request => {
    if (request.query.dryRun !== 'true') return { data: record(await editContent(deps, request)) };
    return { data: record(await previewEdit(deps, request), previewLifetimeMs) };
  });

  addUnbuiltRoute(app, contracts.remixContent);
}
