import { buildOpenApi } from '../../services/gateway/src/openapi/document.ts';

/** The OpenAPI document with an operator's kind of address, for tools that do not start the product. */
export function openApiDocument(): Record<string, unknown> {
  return buildOpenApi('https://hookline.internal');
}
