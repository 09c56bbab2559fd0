import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { SchedulingDeps } from '../deps.ts';
import { keepCode, takeConnectState } from '../queries/connect-states.ts';
import { joinState } from '../rules/connect-proof.ts';
import { digestOf } from './begin-connect.ts';

export type CallbackQuery = {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
};

/**
 * Keeps the code that TikTok sent the person back with, until the person who began the connection finishes it. A reload
 * answers the same.
 * @returns the `state` to finish with
 * @throws ApiError `invalid_request` for a state that is unknown, used or expired; `tiktok_create_failed` if the
 * person declined
 */
export async function receiveCode(
  deps: SchedulingDeps,
  { state, code, error, error_description }: CallbackQuery,
): Promise<{ state: string; expiresAt: Date }> {
  if (!state) throw unknownState();
  const digest = digestOf(state);
  if (error !== undefined) {
    if (!(await takeConnectState(deps.db, digest, deps.now()))) throw unknownState();
    throw refusedByPerson(error, error_description);
  }
  if (code === undefined) throw invalidRequest('code is required and must be the one that TikTok sent');
  // Derived from the code, which nobody but this browser and TikTok has seen.
  const proof = digestOf(`finish ${state} ${code}`).toString('base64url');
  const codeSealed = deps.secretBox.seal(code, digest.toString('hex'));
  const kept = await keepCode(deps.db, digest, { codeSealed, proofDigest: digestOf(proof) }, deps.now());
  if (!kept) throw unknownState();
  return { state: joinState(state, proof), expiresAt: kept.expiresAt };
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
