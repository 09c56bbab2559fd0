import { buildOpenApi } from '@hookline/gateway/documents';

/** The OpenAPI document with an operator's kind of address, for tools that do not start the product. */
export function openApiDocument(): Record<string, unknown> {
  return buildOpenApi('https://hookline.internal');
}
