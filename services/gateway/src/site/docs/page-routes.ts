/**
 * The guides, as pages and as Markdown, and what models read: an index, everything in one, a page per
 * operation. Files are read for each request and pages of operations are built for each; only
 * `/llms-full.txt`, 20 times as large, is built once.
 */
import { readFile } from 'node:fs/promises';
import { notFound } from '@hookline/shared/contracts';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addVary, isUnchanged } from '../console/headers.ts';
import { guides, withoutTabs } from './guides.ts';

// Loaded with the first page that needs it.
const loadOperations = () => import('./operations.ts');

const indexLine = 'Index of all pages: /llms.txt\n\n';

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
} as const;
type Kind = keyof typeof types;

export function addPageRoutes(app: FastifyInstance, publicUrl: string): void {
  app.get('/docs', async (request, reply) => {
    reply.header('vary', addVary(reply, 'accept'));
    if (prefersMarkdown(request)) return send(request, reply, 'md', index(publicUrl));
    return send(request, reply, 'html', await readPage('index.html'));
  });
  app.get('/docs.md', async (request, reply) => send(request, reply, 'md', index(publicUrl)));
  app.get('/docs/style.css', async (request, reply) =>
    send(request, reply, 'css', await readPage('style.css')),
  );
  app.get<{ Params: { page: string } }>('/docs/:page', async (request, reply) => {
    const [, name = '', isMarkdown] = /^([a-z0-9]+)(\.md)?$/.exec(request.params.page) ?? [];
    if (!guides.some(guide => guide.name === name)) throw notFound('page');
    reply.header('vary', addVary(reply, 'accept'));
    if (isMarkdown || prefersMarkdown(request)) {
      return send(request, reply, 'md', indexLine + (await readGuide(name)));
    }
    return send(request, reply, 'html', await readPage(`${name}.html`));
  });
  app.get('/docs/api.md', async (request, reply) => {
    const { operationsIndex } = await loadOperations();
    return send(request, reply, 'md', indexLine + operationsIndex(publicUrl));
  });
  app.get<{ Params: { operation: string } }>('/docs/api/:operation', async (request, reply) => {
    const [, id = '', isMarkdown] = /^(\w+)(\.md)?$/.exec(request.params.operation) ?? [];
    const { findOperation, operationPage, tagOf } = await loadOperations();
    const route = findOperation(id);
    if (!route) throw notFound('operation');
    reply.header('vary', addVary(reply, 'accept'));
    if (isMarkdown || prefersMarkdown(request)) {
      return send(request, reply, 'md', indexLine + operationPage(route, publicUrl));
    }
    return reply.redirect(`/docs/api#tag/${tagOf(route)}/operation/${id}`);
  });
  app.get('/llms.txt', async (request, reply) => send(request, reply, 'txt', index(publicUrl)));
  let whole: string | undefined;
  app.get('/llms-full.txt', async (request, reply) => {
    whole ??= await everything(publicUrl);
    return send(request, reply, 'txt', whole);
  });
}

/** The form of llmstxt.org: what this is, then every page with one line. */
function index(publicUrl: string): string {
  return `# Hookline

> Writes short slideshows ("decks") for apps, holds each for a person's approval, and posts the approved ones to TikTok as drafts or
> directly, once or on a recurring plan.

The API is \`${publicUrl}/api/v1\`, with \`Authorization: Bearer svc_live_...\`. Agents use \`POST ${publicUrl}/mcp\`. Nothing is posted
that nobody approved, and no tool for agents approves. Every page is Markdown with \`.md\` after its address.

## Guides

${guides.map(({ name, title, summary }) => `- [${title}](${publicUrl}/docs/${name}.md): ${summary}`).join('\n')}

## Reference

- [OpenAPI document](${publicUrl}/api/v1/openapi.json): every route, field, bound and example
- [All operations](${publicUrl}/docs/api.md): one line each, with a page for each
- [Everything in one file](${publicUrl}/llms-full.txt): all guides and all operations
`;
}

async function everything(publicUrl: string): Promise<string> {
  const texts = await Promise.all(guides.map(({ name }) => readGuide(name)));
  // Links between guides are relative to /docs/.
  const pages = texts.map(text => text.replaceAll(/\]\((\w+\.md)/g, `](${publicUrl}/docs/$1`));
  const { operationPage } = await loadOperations();
  const operations = allRoutes.map(route => operationPage(route, publicUrl));
  return [index(publicUrl), ...pages, ...operations].join('\n\n---\n\n');
}

async function readPage(file: string): Promise<string> {
  return await readFile(new URL(`../../../pages/${file}`, import.meta.url), 'utf8');
}

async function readGuide(name: string): Promise<string> {
  const file = new URL(`../../../../../docs/guides/${name}.md`, import.meta.url);
  return withoutTabs(await readFile(file, 'utf8'));
}

/** Browsers ask for HTML by name, and never for Markdown. */
function prefersMarkdown({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/markdown') ?? false;
}

function send(request: FastifyRequest, reply: FastifyReply, kind: Kind, text: string): FastifyReply {
  const etag = `"${sha256(text).toString('base64url').slice(0, 22)}"`;
  reply.headers({ etag, 'cache-control': 'public, max-age=300', 'content-type': types[kind] });
  if (kind === 'html') reply.header('content-security-policy', contentSecurityPolicy);
  if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.send(text);
}
