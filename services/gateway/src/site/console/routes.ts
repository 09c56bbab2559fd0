/** The console's pages: built files, and one page for every path that the browser's router knows. */
import { ApiError } from '@hookline/shared/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SiteDeps } from '../../site-deps.ts';
import { type ConsoleFile, createConsoleFiles } from './files.ts';
import { addVary, consolePolicy, isUnchanged, takesBrotli } from './headers.ts';

const page = 'index.html';

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Hookline</title></head>
<body><main><h1>The console is not built</h1>
<p>packages/console/dist is missing from this installation. The API works without it: <a href="/docs">reference</a>.</p>
</main></body>
</html>
`;

export function addConsoleRoutes(
  app: FastifyInstance,
  { publicUrl, consoleFolder }: Pick<SiteDeps, 'publicUrl' | 'consoleFolder'>,
): void {
  const files = createConsoleFiles(consoleFolder);
  const policy = consolePolicy(new URL(publicUrl).origin);

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = await files.find(page, takesBrotli(request.headers['accept-encoding']));
    reply.header('content-security-policy', policy);
    if (file) return sendFile(file, request, reply);
    return reply
      .code(503)
      .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .send(notBuilt);
  };

  app.get('/console', sendPage);
  app.get('/console/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const file =
      name === page ? null : await files.find(name, takesBrotli(request.headers['accept-encoding']));
    // The service worker may ask for what the page may.
    if (name === 'sw.js') reply.header('content-security-policy', policy);
    if (file) return sendFile(file, request, reply);
    // A page in place of a script of an earlier build would be an error that nobody understands.
    if (name.startsWith('assets/')) throw new ApiError('not_found', 'No such file.');
    return sendPage(request, reply);
  });
}

function sendFile(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply) {
  const kept = file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
  reply.headers({ etag: file.etag, vary: addVary(reply, 'accept-encoding'), 'cache-control': kept });
  if (isUnchanged(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  if (file.encoding) reply.header('content-encoding', file.encoding);
  return reply.headers({ 'content-type': file.contentType, 'content-length': file.size }).send(file.open());
}
