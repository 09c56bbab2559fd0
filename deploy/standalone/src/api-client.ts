/** A client like any other: HTTP and the public interface, nothing of the product's inside. */
class ApiCallError extends Error {
  override name = 'ApiCallError';
}

type CallOptions = {
  body?: unknown;
  token?: string;
  idempotencyKey?: string;
  /** Default 20,000. */
  timeoutMs?: number;
};

export type ApiClient = {
  /** @throws ApiCallError with the answer's code and message */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
};

export function createApiClient(baseUrl: string): ApiClient {
  return {
    async call<T>(method: string, path: string, options: CallOptions = {}) {
      const headers: Record<string, string> = {};
      if (options.token) headers.authorization = `Bearer ${options.token}`;
      if (options.body !== undefined) headers['content-type'] = 'application/json';
      if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
      const response = await fetch(baseUrl + path, {
        method,
        headers,
        signal: AbortSignal.timeout(options.timeoutMs ?? 20_000),
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      });
      const answer = (await response.json()) as { data: T; error?: { code: string; message: string } };
      if (answer.error) {
        throw new ApiCallError(
          `${method} ${path} answered ${response.status} ${answer.error.code}: ${answer.error.message}`,
        );
      }
      return answer.data;
    },
  };
}
