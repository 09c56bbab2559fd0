import multipart from '@fastify/multipart';
import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/apps';
import { addRoute, addWriteRoute, requireSealedUpload } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import { pictureBytesMax } from '@hookline/slides';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { addPicture, readUpload } from './change.ts';
import { findPicturedApp, listPictures } from './queries.ts';
import { type PictureRow, toPicture } from './record.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Uploads have the bytes of the field `file`; other requests have null. */
    upload: Buffer | null;
  }
}

export function addPictureRoutes(app: FastifyInstance, deps: ContentDeps): void {
  const record = (row: PictureRow) => toPicture(row, id => deps.links.imageUrl(id, deps.now()));

  app.decorateRequest('upload', null);
  app.register(async scope => {
    await scope.register(multipart, {
      limits: { fileSize: pictureBytesMax, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    scope.addHook('preHandler', readFile);
    addWriteRoute(scope, deps, contracts.addPicture, {
      prepare: ({ caller, params, query: { kind = 'upload' }, request }) =>
        readUpload(deps, { caller, appId: params.id, kind }, request.upload as Buffer),
      write: async (tx, _input, row) => ({ data: record(await addPicture(tx, row)) }),
    });
  });

  addRoute(app, contracts.listPictures, async ({ caller, params, query }) => {
    if (!(await findPicturedApp(deps.db, caller.accountId, params.id))) throw notFound('app');
    const page = readPage(query);
    return toPage(await listPictures(deps.db, params.id, page, query.kind), page, record);
  });
}

const wanted = 'must be multipart/form-data with one field file, a JPEG, PNG or WebP picture';

/** The digest of the file and its kind become the body, which an `Idempotency-Key` is compared with. */
async function readFile(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) throw invalidRequest(`The body ${wanted}.`, { status: 415 });
  const requireSealed = requireSealedUpload(request);
  const files = request.files();
  const { value: part } = await files.next().catch(asRefusal);
  if (part?.fieldname !== 'file') throw invalidRequest(`The body ${wanted}.`);
  const bytes = await part.toBuffer().catch(asRefusal);
  // A second part would be lost silently; it is over the limit.
  await files.next().catch(asRefusal);
  await requireSealed();
  const { kind } = request.query as { kind?: unknown };
  request.upload = bytes;
  request.body = { file: sha256(bytes).toString('hex'), ...(kind === undefined ? {} : { kind }) };
}

function asRefusal(error: { code?: string }): never {
  if (error.code === 'FST_REQ_FILE_TOO_LARGE') {
    throw new ApiError('image_too_large', 'file must have at most 10 MB', { status: 413 });
  }
  throw invalidRequest(`The body ${wanted}.`, { cause: error });
}
