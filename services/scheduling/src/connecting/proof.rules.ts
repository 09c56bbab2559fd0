/**
 * Only the browser that came back from the platform holds the proof. So whoever began a connection cannot
 * finish it with an account whose owner was sent the address.
 */
export type FinishingState = { state: string; proof: string | null };

export function joinState(state: string, proof: string): string {
  return `${state}.${proof}`;
}

export function splitState(joined: string): FinishingState {
  const [state = '', proof] = joined.split('.');
  return { state, proof: proof ?? null };
}

/** On this machine, where no stranger comes back, the state alone is enough: a command line has no other. */
export function isLoopbackHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1');
}
