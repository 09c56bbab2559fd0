/** What documents of the API and its pages are generated from. */
export { buildOpenApi } from './openapi/document.ts';
export { type Guide, guides, linkedPaths } from './pages/guides.ts';
