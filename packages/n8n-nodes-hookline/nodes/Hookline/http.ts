/**
 * The one place that sends: with the credentials, never followed to another host, and
 * errors as n8n shows them.
 */
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IPollFunctions,
  JsonObject,
  NodeApiError,
} from 'n8n-workflow';
import { HooklineFailure, type Send } from './calls';

export const credentialsName = 'hooklineApi';

type NodeApiErrorOptions = NonNullable<ConstructorParameters<typeof NodeApiError>[2]>;

type Functions = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The API's address for a base URL with or without `/api/v1`. */
export function apiAddress(baseUrl: string): string {
  return `${baseUrl
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')}/api/v1`;
}

export async function sender(functions: Functions): Promise<Send> {
  const { baseUrl } = await functions.getCredentials<{ baseUrl: string }>(credentialsName);
  return async ({ method, path, query, headers, body }) => {
    const options: IHttpRequestOptions = {
      method,
      url: apiAddress(baseUrl) + path,
      qs: query as IDataObject,
      headers,
      // Text would become an object here, and the HTML page of a proxy would look like an answer.
      json: !(body instanceof Uint8Array),
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Buffer.from(body) : body }),
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      // A redirected POST would arrive as a GET.
      disableFollowRedirect: true,
      timeout: 60_000,
    };
    const answer = await functions.helpers.httpRequestWithAuthentication
      .call(functions, credentialsName, options)
      .catch((error: Error) => {
        const facts = { code: 'connection_failed', status: null, requestId: null };
        throw new HooklineFailure(`${method} ${options.url} failed: ${error.message}`, facts);
      });
    const { statusCode, body: received } = answer as { statusCode: number; body: unknown };
    return { status: statusCode, headers: answer.headers as IDataObject, body: parsed(received) };
  };
}

/** What n8n shows, as arguments of its error: the API's message, and below it code, status and request id. */
export function faultOf(error: unknown, itemIndex?: number): [JsonObject, NodeApiErrorOptions] {
  const at = itemIndex === undefined ? {} : { itemIndex };
  if (error instanceof HooklineFailure) {
    const { message, code, status, requestId, details } = error;
    const httpCode = status === null ? '' : String(status);
    return [
      { message, code, requestId },
      { message, description: details, httpCode, ...at },
    ];
  }
  const { message } = error as Error;
  return [{ message }, { message, ...at }];
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
