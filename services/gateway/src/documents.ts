/** What documents of the API and its pages are generated from. */

export { type Guide, guides, linkedPaths } from './site/docs/guides.ts';
export { buildOpenApi } from './site/openapi/document.ts';
