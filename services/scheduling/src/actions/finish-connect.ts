import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import type { CreatorInfo, Tokens, UserInfo } from '../adapters/tiktok.ts';
import type { Answer } from '../adapters/tiktok-answers.ts';
import type { SchedulingDeps } from '../deps.ts';
import { type ConnectState, takeConnectState } from '../queries/connect-states.ts';
import { lockAccountOfCreator, saveConnectedAccount } from '../queries/platform-accounts.ts';
import type { PlatformAccount } from '../records/account.ts';
import { digestOf } from './begin-connect.ts';
import { sealTokens } from './get-access-token.ts';

export type CallbackQuery = {
  code?: string | undefined;
  state?: string | undefined;
  error?: string | undefined;
  error_description?: string | undefined;
};

/**
 * Completes a connection when TikTok redirects the person back.
 * @throws ApiError `invalid_request` for a state that is unknown, used or expired; `tiktok_create_failed`
 * if the person declined or TikTok refused (409), or TikTok could not be reached (502).
 */
export async function finishConnect(deps: SchedulingDeps, query: CallbackQuery): Promise<PlatformAccount> {
  const state = await takeState(deps, query.state);
  if (query.error !== undefined) throw refusedByPerson(query.error, query.error_description);
  if (query.code === undefined) throw invalidRequest('code is required and must be the one that TikTok sent');
  const verifier =
    state.verifierSealed && deps.secretBox.open(state.verifierSealed, state.stateDigest.toString('hex'));
  const exchanged = await deps.tiktok.exchangeCode(query.code, state.redirectUri, verifier);
  const tokens = orThrow(exchanged);
  const canPost = tokens.scopes.includes('video.upload') || tokens.scopes.includes('video.publish');
  if (!canPost) {
    await deps.tiktok.revokeToken(tokens.accessToken);
    throw new ApiError(
      'tiktok_create_failed',
      'Posting was not allowed at TikTok, so nothing was connected. Connect again and allow drafts or posts.',
    );
  }
  const { user, creator } = await readProfile(deps, tokens);
  return await save(deps, state, tokens, user, creator);
}

async function takeState(deps: SchedulingDeps, given: string | undefined): Promise<ConnectState> {
  const state = given && (await takeConnectState(deps.db, digestOf(given), deps.now()));
  if (state) return state;
  throw invalidRequest(
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

function orThrow<T>(answer: Answer<T>): T {
  if (answer.kind === 'ok') return answer.value;
  if (answer.kind === 'refused') {
    throw new ApiError('tiktok_create_failed', `TikTok did not connect the account: ${answer.message}`);
  }
  throw new ApiError('tiktok_create_failed', 'TikTok could not be reached; start the connection again.', {
    status: 502,
  });
}

// The code is used up, so an unreadable profile must not lose the connection. The next check reads it again.
async function readProfile(
  { tiktok, log }: SchedulingDeps,
  tokens: Tokens,
): Promise<{ user: UserInfo | null; creator: CreatorInfo | null }> {
  const [user, creator] = await Promise.all([
    tiktok.getUserInfo(tokens.accessToken, tokens.scopes),
    tokens.scopes.includes('video.publish') ? tiktok.getCreatorInfo(tokens.accessToken) : null,
  ]);
  if (user.kind !== 'ok') log.warn({ answer: user.kind }, 'the profile of a new account could not be read');
  return {
    user: user.kind === 'ok' ? user.value : null,
    creator: creator?.kind === 'ok' ? creator.value : null,
  };
}

function save(
  deps: SchedulingDeps,
  state: ConnectState,
  tokens: Tokens,
  user: UserInfo | null,
  creator: CreatorInfo | null,
): Promise<PlatformAccount> {
  const now = deps.now();
  const username = user?.username || creator?.username || 'tiktok';
  return deps.db.transaction(async tx => {
    const known = await lockAccountOfCreator(tx, state.accountId, tokens.openId);
    const id = known ?? newId('account', now.getTime());
    return await saveConnectedAccount(
      tx,
      {
        id,
        accountId: state.accountId,
        appId: state.appId,
        openId: tokens.openId,
        username,
        displayName: user?.displayName || creator?.displayName || username,
        avatarUrl: user?.avatarUrl ?? null,
        scopes: tokens.scopes,
        privacyLevels: creator?.privacyLevels ?? [],
        commentDisabled: creator?.commentDisabled ?? false,
        checkedAt: creator && now,
        now,
      },
      sealTokens(deps.secretBox, id, tokens, now),
    );
  });
}
