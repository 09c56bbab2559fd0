/** What the text model was asked, newest last: for tests that check what leaves the product. The key itself is not kept. */
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
