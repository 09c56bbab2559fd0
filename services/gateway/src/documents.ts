/** Generators of documents import this file. */

export { type Guide, guides, linkedPaths } from './site/docs/guides.ts';
export { buildOpenApi } from './site/openapi/document.ts';
