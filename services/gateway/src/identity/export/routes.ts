import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/workspace';
import { hourMs } from '@hookline/shared/kernel/durations';
import type { FastifyInstance } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { addOwnRoute, addOwnWriteRoute } from '../sessions/own-route.ts';
import { contextOf, fromOf } from '../sessions/session-of.ts';
import { auditDownload } from './audit-download.ts';
import { paced } from './downloads.ts';
import { findExport } from './queries.ts';
import { toExport } from './record.ts';
import { requestExport } from './request.ts';
import { writeArchive } from './write-archive.ts';

/** A download that takes longer is cut off. */
const downloadMaxMs = 2 * hourMs;

export function addExportRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  const { db, now, log, exports, clientAddress } = deps;

  addOwnWriteRoute(app, deps, contracts.createExport, {
    async write(tx, { request }) {
      const row = await requestExport(deps, contextOf(deps, tx, request));
      return { data: toExport(row, exports.links.url(row.id)) };
    },
  });

  addOwnRoute(app, contracts.getExport, async ({ caller, params }) => {
    const row = await findExport(db, { accountId: caller.accountId, id: params.id }, now());
    if (!row) throw notFound('export');
    return { data: toExport(row, exports.links.url(row.id)) };
  });

  // Needs no session: the signature grants access, as long as whoever asked for the export is
  // an owner. Otherwise 404.
  app.get('/media/exports/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    const { s } = request.query as Record<string, unknown>;
    const isValid = typeof s === 'string' && exports.links.isValid(id, s);
    const row = isValid ? await findExport(db, { accountId: null, id }, now()) : null;
    if (!row) throw notFound('export');
    const { accountId } = row;
    const headers = {
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${id}.tar.gz"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    };
    if (request.method === 'HEAD') return reply.headers(headers).send('');
    const end = exports.downloads.begin(accountId, clientAddress(request));
    await auditDownload(deps, row, fromOf(deps, request)).catch((error: unknown) => {
      end();
      throw error;
    });
    const { raw } = reply.headers(headers).hijack();
    try {
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) raw.setHeader(name, value);
      }
      raw.statusCode = 200;
      await pipeline(Readable.from(paced(writeArchive(deps, row), () => raw.destroy())), createGzip(), raw, {
        signal: AbortSignal.timeout(downloadMaxMs),
      });
    } catch (error) {
      // The connection is cut, so that no reader takes a part for the whole.
      log.warn({ err: error, accountId, exportId: id }, 'the download of an export ended early');
      raw.destroy();
    } finally {
      end();
    }
  });
}
