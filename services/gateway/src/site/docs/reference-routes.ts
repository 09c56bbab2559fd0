import { createReadStream, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pipeline, Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { apiRoot } from '../../public-api.ts';

const docsBundlePath = '/docs/redoc.js';

/**
 * Scripts from this host only, and no eval. Inline styles are allowed because Redoc writes them as it
 * renders. Nothing comes from other hosts.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hookline API</title>
<link rel="alternate" type="text/markdown" href="/docs/api.md">
<link rel="icon" href="data:,">
<style>
body { margin: 0; font-family: system-ui, sans-serif; }
a[href^="https://redocly.com/redoc"]::after { content: "Redoc"; margin-left: .25em; }
noscript { display: block; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
</style>
</head>
<body>
<noscript>This reference needs JavaScript. The same, for machines: <a href="${apiRoot}/openapi.json">openapi.json</a>, <a href="/docs/api.md">api.md</a>.</noscript>
<redoc spec-url="${apiRoot}/openapi.json" disable-telemetry="true"></redoc>
<script type="module" src="${docsBundlePath}"></script>
</body>
</html>
`;

/**
 * What the policy would refuse, and report: Redoc's logo on another host, and the eval of its search worker,
 * for which it has a fallback where there are no workers. Each text is replaced by one of the same length.
 */
const refused: readonly (readonly [text: string, by: string])[] = [
  ...['https://cdn.redoc.ly/redoc/logo-mini-full.svg', 'https://cdn.redoc.ly/redoc/logo-mini.svg'].map(
    // An image that cannot be read is not shown.
    url => [url, 'data:,'.padEnd(url.length, '-')] as const,
  ),
  ['||typeof Worker>`u`)return!1;let e=globalThis', '||typeof Absent>`u`)return!1;let e=globalThis'],
];
const longest = Math.max(...refused.map(([text]) => text.length));

function replaceRefused(): Transform {
  let held = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // One character per byte, so that no character is cut between chunks.
      held += chunk.toString('latin1');
      for (const [text, by] of refused) held = held.replaceAll(text, by);
      const ready = held.slice(0, 1 - longest);
      held = held.slice(ready.length);
      done(null, Buffer.from(ready, 'latin1'));
    },
    flush: done => done(null, Buffer.from(held, 'latin1')),
  });
}

/**
 * The page is a constant. The bundle (2.3 MB) is streamed from disk for each request and cached by the
 * browser.
 */
export function addDocsRoutes(app: FastifyInstance): void {
  const require = createRequire(import.meta.url);
  const file = require.resolve('redoc/bundles/redoc.standalone.js');
  const { size, mtimeMs } = statSync(file);
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-1"`;

  app.get('/docs/api', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'content-security-policy': contentSecurityPolicy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      .send(page),
  );

  app.get(docsBundlePath, async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'content-length': size })
      .send(pipeline(createReadStream(file), replaceRefused(), () => {}));
  });
}
