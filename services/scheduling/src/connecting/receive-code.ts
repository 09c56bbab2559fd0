import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { SchedulingDeps } from '../deps.ts';
import { joinState } from './proof.rules.ts';
import { keepCode, takeConnectState } from './queries.ts';

export type CallbackQuery = {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
};

/** After a `refusal`, by the person or by TikTok, nothing will be connected. */
export type Returned =
  | { refusal: null; state: string; expiresAt: Date; returnTo: string | null }
  | { refusal: ApiError; returnTo: string | null };

/**
 * Keeps the code until the person who began finishes. A reload answers the same.
 * @throws ApiError `invalid_request` for a state that is unknown, used or expired
 */
export async function receiveCode(
  deps: SchedulingDeps,
  { state, code, error, error_description }: CallbackQuery,
): Promise<Returned> {
  if (!state) throw unknownState();
  const digest = sha256(state);
  if (error !== undefined) {
    const taken = await takeConnectState(deps.db, digest, deps.now());
    if (!taken) throw unknownState();
    return { refusal: refusedByPerson(error, error_description), returnTo: taken.returnTo };
  }
  if (code === undefined) throw invalidRequest('code is required and must be the one that TikTok sent');
  // The proof is derived from the code, which nobody but this browser and TikTok has seen.
  const proof = sha256(`finish ${state} ${code}`).toString('base64url');
  const codeSealed = deps.secretBox.seal(code, digest.toString('hex'));
  const kept = await keepCode(deps.db, digest, { codeSealed, proofDigest: sha256(proof) }, deps.now());
  if (!kept) throw unknownState();
  return { refusal: null, state: joinState(state, proof), ...kept };
}

function unknownState(): ApiError {
  return invalidRequest(
    'state must be from a connection that was started in the last 10 minutes and not finished; start again',
  );
}

function refusedByPerson(error: string, description: string | undefined): ApiError {
  const message =
    error === 'access_denied'
      ? 'You said no at TikTok, so nothing was connected. You can begin again at any time.'
      : `TikTok did not connect the account: ${description || error}`;
  return new ApiError('tiktok_create_failed', message);
}
