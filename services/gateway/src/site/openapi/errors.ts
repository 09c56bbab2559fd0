/** The error answers of an operation: one response per status, naming the codes that it can carry. */

import {
  ApiError,
  type ErrorCode,
  ErrorEnvelope,
  errorBody,
  errorCatalogue,
  rateLimited,
} from '@hookline/shared/contracts';
import { honoursKey, type NamedRoute } from '@hookline/shared/contracts/route';
import { type Components, type Json, toSchema } from './schemas.ts';

export type DocumentParts = { schemas: Components; responses: Map<string, Json> };

export const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
export const page = {
  schema: { type: 'string', maxLength: 65_536, pattern: '^[^\\u0000]*$' },
  example: '<!doctype html><html lang="en"><title>Hookline</title>...</html>',
};
const retryAfterHeader = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

export function errorCodesOf(contract: NamedRoute): Map<number, ErrorCode[]> {
  const codes = new Map<number, Set<ErrorCode>>();
  const add = (code: ErrorCode, status: number = errorCatalogue[code].status): void => {
    codes.set(status, (codes.get(status) ?? new Set()).add(code));
  };
  add('invalid_request');
  add('rate_limited');
  for (const code of ['internal_error', 'db_error', 'service_unavailable'] as const) add(code);
  if (contract.method === 'POST' && contract.idempotency !== 'required') add('outcome_unknown');
  if (contract.auth !== 'none') add('unauthorized');
  if (contract.auth === 'key') {
    add('key_revoked');
    add('key_expired');
    if (contract.scopes.length > 0) add('missing_scope');
  }
  if (contract.roles) add('missing_scope');
  if (contract.body || contract.method === 'POST') add('invalid_request', 413);
  if (contract.body) add('invalid_request', 415);
  if (honoursKey(contract)) add('idempotency_key_reused');
  // A workspace that waits for its deletion refuses changes.
  const isRefusedWhileFrozen = contract.method !== 'GET' && contract.auth !== 'none' && !contract.whileFrozen;
  if (honoursKey(contract) || contract.mayConflict || isRefusedWhileFrozen) add('invalid_request', 409);
  if (contract.upload) {
    add('invalid_request', 415);
    add('unsupported_image_format', 415);
    add('image_too_large', 413);
  }
  for (const code of contract.errors) {
    add(code);
    const entry = errorCatalogue[code];
    if ('otherStatus' in entry) add(code, entry.otherStatus);
  }
  const sorted = [...codes].sort(([left], [right]) => left - right);
  return new Map(sorted.map(([status, set]) => [status, [...set]]));
}

/**
 * References to shared responses, which are added to `responses` under a name built from status and codes.
 */
export function errorResponses(contract: NamedRoute, parts: DocumentParts): Json {
  const { responses } = parts;
  const schema = toSchema(ErrorEnvelope, 'answer', parts.schemas);
  const entries = [...errorCodesOf(contract)].map(([status, codes]) => {
    const isPage = !contract.response && !contract.produces;
    const name = codes.length > 3 || isPage ? `${contract.id}.${status}` : [status, ...codes].join('.');
    if (!responses.has(name)) responses.set(name, errorResponse(status, codes, schema, isPage));
    return [String(status), { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(entries);
}

function errorResponse(status: number, codes: readonly ErrorCode[], schema: Json, isPage: boolean): Json {
  const canWait = status === 429 || status === 503;
  return {
    description: codes.map(code => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('; '),
    headers: canWait ? { ...requestIdHeader, ...retryAfterHeader } : requestIdHeader,
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(codes.map(code => [code, { value: exampleOf(code) }])),
      },
      ...(isPage ? { 'text/html': page } : {}),
    },
  };
}

function exampleOf(code: ErrorCode) {
  const error = code === 'rate_limited' ? rateLimited(7) : new ApiError(code);
  return errorBody(error, 'req_01k9ztq4v8m3x7h2c5r6w1n0bd');
}
