import { setTimeout as delay } from 'node:timers/promises';
import { appendEvent } from '@hookline/shared/bus';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/schedules';
import { accountConnected } from '@hookline/shared/events';
import {
  answerText,
  byOf,
  type Caller,
  jsonHeaders,
  RawAnswer,
  replayAnswer,
  routeOf,
} from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import {
  CommitUnknownError,
  claimKey,
  claimOrWait,
  completeKey,
  type KeyLease,
  releaseKey,
  type Transaction,
} from '@hookline/shared/postgres';
import { lockAccountOfCreator, saveConnectedAccount } from '../accounts/queries.ts';
import { findRevocation, lockCreator } from '../accounts/queries-revocations.ts';
import { type PlatformAccount, toAccount } from '../accounts/record.ts';
import { revokeToken } from '../accounts/revoke.ts';
import { sealTokens } from '../accounts/tokens.ts';
import type { SchedulingDeps } from '../deps.ts';
import { readPostsOf } from '../numbers/queries.ts';
import {
  type Answer,
  type Carrier,
  type CreatorInfo,
  carrierOf,
  type Tokens,
  type UserInfo,
} from '../platform/carrier.rules.ts';
import { isLoopbackHttp, splitState } from './proof.rules.ts';
import {
  type ConnectState,
  claimReturnedConnect,
  keepTokens,
  type ReturnedConnect,
  releaseReturnedConnect,
  takeConnectState,
} from './queries.ts';

export type FinishInput = {
  caller: Caller;
  /** The callback page has this `state`. */
  state: string;
  idempotencyKey: string | null;
};

// A lease outlives TikTok's three answers, a code and a profile, and a revocation in between.
const keyLeaseMs = 30_000;

/** This is the longest wait for a revocation of the same creator. A repeat goes on with the tokens. */
const revocationMaxMs = 5_000;
const revocationPollMs = 100;

/**
 * Only the person who began a connection can complete it.
 * @throws ApiError `invalid_request` for another state, or one that is used or expired;
 * `tiktok_create_failed` if TikTok refused (409) or could not be reached (502).
 */
export async function finishConnect(deps: SchedulingDeps, input: FinishInput): Promise<RawAnswer> {
  const { caller, state, idempotencyKey: key } = input;
  if (key === null) return answerOf((await connect(deps, input, null)).text);
  const scope = { accountId: caller.accountId, route: routeOf(contracts.finishTiktok, {}), key };
  const claim = await claimOrWait(deps.db, tx =>
    claimKey(tx, {
      ...scope,
      body: { state },
      resourceId: newId('req'),
      leaseMs: keyLeaseMs,
      now: deps.now(),
    }),
  );
  if (claim.kind === 'replay') return replayAnswer(claim.status, claim.body);
  try {
    return answerOf((await connect(deps, input, claim.lease)).text);
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) await releaseKey(deps.db, claim.lease);
    throw error;
  }
}

function answerOf(text: string): RawAnswer {
  return new RawAnswer(contracts.finishTiktok.status, text, jsonHeaders);
}

async function connect(
  deps: SchedulingDeps,
  input: FinishInput,
  lease: KeyLease | null,
): Promise<{ text: string }> {
  const state = await claimReturned(deps, input, lease);
  const carrier = carrierOf(deps, state);
  try {
    const obtained = await getTokens(deps, carrier, state);
    const until = performance.now() + revocationMaxMs;
    for (;;) {
      const revocation = await outliveRevocation(deps, carrier, obtained.tokens.openId, until);
      const profile = await readProfile(deps, carrier, obtained.tokens);
      const text = await deps.db.transaction(async tx => {
        // A revocation that began since may have ended this consent.
        if ((await lockCreator(tx, obtained.tokens.openId)) !== revocation) return null;
        await takeConnectState(tx, state.stateDigest, deps.now());
        const account = await save(deps, tx, { state, ...obtained, ...profile });
        await readPostsOf(tx, account.id, deps.now());
        await appendEvent(tx, accountConnected, {
          accountId: account.accountId,
          subject: account.id,
          source: 'scheduling',
          at: deps.now(),
          data: { account: toAccount(account), by: byOf(input.caller) },
        });
        const text = answerText(contracts.finishTiktok, { data: toAccount(account) });
        if (lease) await completeKey(tx, lease, { status: contracts.finishTiktok.status, body: text });
        return text;
      });
      if (text !== null) return { text };
    }
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) await releaseReturnedConnect(deps.db, state.stateDigest);
    throw error;
  }
}

async function claimReturned(
  deps: SchedulingDeps,
  { caller, state: joined }: FinishInput,
  lease: KeyLease | null,
): Promise<ReturnedConnect> {
  const { state, proof } = splitState(joined);
  const now = deps.now();
  const by = {
    stateDigest: sha256(state),
    accountId: caller.accountId,
    userId: caller.userId,
    proofDigest: proof === null ? null : sha256(proof),
  };
  // A repeat that takes over the key of a request that hangs takes over its state.
  const times = { now, takenUntil: lease?.lockedUntil ?? new Date(now.getTime() + keyLeaseMs) };
  const mayFinish = proof !== null || isLoopbackHttp(deps.publicUrl);
  const claimed = mayFinish && (await claimReturnedConnect(deps.db, by, times));
  if (claimed) return claimed;
  throw invalidRequest(
    'state must be from a connection that you began in the last 10 minutes, that came back from TikTok and that is not finished; start again',
  );
}

type Obtained = { tokens: Tokens; at: Date };

/** The code works once, so the tokens are stored before anything else can fail. */
async function getTokens(deps: SchedulingDeps, carrier: Carrier, state: ReturnedConnect): Promise<Obtained> {
  const bound = state.stateDigest.toString('hex');
  if (state.tokensSealed !== null) {
    const kept = JSON.parse(deps.secretBox.open(state.tokensSealed, bound)) as { tokens: Tokens; at: string };
    return { tokens: kept.tokens, at: new Date(kept.at) };
  }
  const verifier = state.verifierSealed && deps.secretBox.open(state.verifierSealed, bound);
  const code = deps.secretBox.open(state.codeSealed, bound);
  const tokens = orThrow(carrier, await carrier.exchangeCode(code, state.redirectUri, verifier));
  const canPost = tokens.scopes.includes('video.upload') || tokens.scopes.includes('video.publish');
  if (!canPost) {
    await revokeToken(deps, { carrier, openId: tokens.openId, ownId: null, token: tokens.accessToken });
    throw new ApiError(
      'tiktok_create_failed',
      `Posting was not allowed at ${carrier.name}, so nothing was connected. Connect again and allow drafts or posts.`,
    );
  }
  const obtained = { tokens, at: deps.now() };
  await keepTokens(deps.db, state.stateDigest, deps.secretBox.seal(JSON.stringify(obtained), bound));
  return obtained;
}

function orThrow<T>({ name }: Carrier, answer: Answer<T>): T {
  if (answer.kind === 'ok') return answer.value;
  if (answer.kind === 'refused') {
    throw new ApiError('tiktok_create_failed', `${name} did not connect the account: ${answer.message}`);
  }
  throw new ApiError('tiktok_create_failed', `${name} could not be reached; start the connection again.`, {
    status: 502,
  });
}

/** A revocation ends the consent for every workspace. @returns the mark of the last one */
async function outliveRevocation(
  { db }: SchedulingDeps,
  { name }: Carrier,
  openId: string,
  until: number,
): Promise<string | null> {
  for (;;) {
    const { mark, isUnderWay } = await findRevocation(db, openId);
    if (!isUnderWay) return mark;
    if (performance.now() > until) {
      const message = `${name} is still ending an earlier connection of this account. Try again in a quarter of a minute.`;
      throw new ApiError('tiktok_create_failed', message, { status: 502 });
    }
    await delay(revocationPollMs);
  }
}

type Profile = { user: UserInfo | null; creator: CreatorInfo | null };

/** The code is used up, so an unreadable profile must not lose the connection: it is read again later. */
async function readProfile({ log }: SchedulingDeps, carrier: Carrier, tokens: Tokens): Promise<Profile> {
  const [user, creator] = await Promise.all([
    carrier.getUserInfo(tokens.accessToken, tokens.scopes),
    tokens.scopes.includes('video.publish') ? carrier.getCreatorInfo(tokens.accessToken) : null,
  ]);
  if (user.kind === 'refused' && user.code === 'access_token_invalid') {
    throw new ApiError(
      'tiktok_create_failed',
      `The consent at ${carrier.name} was ended before the account was connected. Connect it again.`,
    );
  }
  if (user.kind !== 'ok') log.warn({ answer: user.kind }, 'the profile of a new account could not be read');
  return {
    user: user.kind === 'ok' ? user.value : null,
    creator: creator?.kind === 'ok' ? creator.value : null,
  };
}

async function save(
  deps: SchedulingDeps,
  tx: Transaction,
  { state, tokens, at, user, creator }: { state: ConnectState } & Obtained & Profile,
): Promise<PlatformAccount> {
  const now = deps.now();
  const username = user?.username ?? creator?.username ?? null;
  const existing = await lockAccountOfCreator(tx, state.accountId, tokens.openId);
  const id = existing?.id ?? newId('account', now.getTime());
  const name = user?.displayName ?? creator?.displayName ?? existing?.displayName ?? username;
  return await saveConnectedAccount(
    tx,
    {
      id,
      accountId: state.accountId,
      carrier: state.carrier,
      appId: state.appId,
      openId: tokens.openId,
      username,
      displayName: name ?? `${carrierOf(deps, state).name} account`,
      avatarUrl: user?.avatarUrl ?? null,
      scopes: tokens.scopes,
      privacyLevels: creator?.privacyLevels ?? [],
      commentDisabled: creator?.commentDisabled ?? false,
      checkedAt: creator && now,
      now,
    },
    sealTokens(deps.secretBox, id, tokens, at),
  );
}
