/**
 * Requests to the text model, newest last, so that tests can check what leaves the product. The key is not
 * kept.
 */
export type LlmRequest = { at: number; hasKey: boolean; keyDigest: string | null; body: unknown };

export type LlmState = { requests: LlmRequest[] };

const keptMax = 200;

export function createLlm(): LlmState {
  return { requests: [] };
}

export function keepRequest(state: LlmState, request: LlmRequest): void {
  state.requests.push(request);
  if (state.requests.length > keptMax) state.requests.shift();
}
