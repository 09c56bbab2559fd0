import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type { SetTextModelBody, TextModelTest } from '@hookline/shared/contracts/text-model';
import type { Caller } from '@hookline/shared/http';
import { WriterUnavailable } from '@hookline/writer';
import type { ContentDeps } from '../deps.ts';
import { fieldOf, readEndpoint } from './endpoint.rules.ts';
import { findTextModel, saveLastTest, saveTextModel } from './queries.ts';
import type { LastTest, OwnModel, TextModelRow } from './record.ts';
import { type Tried, tryModel } from './try.ts';

type Given = { caller: Pick<Caller, 'accountId'> };

/**
 * Tests the model and saves it, with no connection to the database held meanwhile.
 * @throws ApiError `invalid_request` with the provider's words
 */
export async function setTextModel(
  deps: ContentDeps,
  { caller: { accountId }, body }: Given & { body: SetTextModelBody },
): Promise<TextModelRow> {
  const { textModels: models, secretBox } = deps;
  const row = await findTextModel(deps.db, accountId);
  const key = row?.own?.keySealed
    ? (secretBox.tryOpen(row.own.keySealed, accountId) ?? undefined)
    : undefined;
  const known = row?.own ? { ...row.own, apiKey: key } : null;
  const { apiKey, ...own } = readEndpoint(body, known, models.allowedTargets);
  const tried = await tryModel({ ...own, apiKey, connect: models.connect }, models.budgetMs);
  if (!tried.ok) throw refusal(body, tried);
  const now = deps.now();
  const keySealed = apiKey === undefined ? null : secretBox.seal(apiKey, accountId);
  const saved = { own: { ...own, keySealed }, lastTest: lastTestOf(tried, now), updatedAt: now };
  await saveTextModel(deps.db, accountId, saved);
  return { ...saved, learns: row?.learns ?? true };
}

/** @throws ApiError `not_found` without a model */
export async function testTextModel(
  deps: ContentDeps,
  { caller: { accountId } }: Given,
): Promise<TextModelTest> {
  const tested = await findTextModel(deps.db, accountId);
  const tried = await tryStored(deps, accountId, tested?.own ?? null);
  const now = deps.now();
  const lastTest = lastTestOf(tried, now);
  await saveLastTest(deps.db, accountId, { tested, lastTest, now });
  return lastTest;
}

async function tryStored(
  { textModels: models }: ContentDeps,
  accountId: string,
  own: OwnModel | null,
): Promise<Tried> {
  try {
    const settings = own ? models.settingsOf(accountId, own) : models.installation;
    if (!settings) throw notFound('text model');
    return await tryModel(settings, models.budgetMs);
  } catch (error) {
    if (!(error instanceof WriterUnavailable)) throw error;
    return { ok: false, milliseconds: 0, message: error.message, status: 0 };
  }
}

function lastTestOf({ ok, milliseconds, message }: Tried, now: Date): LastTest {
  return { at: now.toISOString(), ok, milliseconds, message };
}

function refusal(body: SetTextModelBody, tried: Tried) {
  const { status, message } = tried;
  const code = status < 400 ? '' : ` (HTTP ${status})`;
  const words = message.replace(/[.!]$/, '');
  return invalidRequest(
    `${fieldOf({ status, words }, body)} is refused: ${body.provider} says${code}: ${words}. Nothing was saved.`,
  );
}
