import { createGuardedConnector, createResolver } from '@hookline/shared/http/guarded-connect';
import { createRecall, type SecretBox } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { type ChatSettings, type Writer, WriterUnavailable } from '@hookline/writer';
import { findTextModel } from './queries.ts';
import type { OwnModel } from './record.ts';

export type TextModels = {
  /** Of workspaces without a model of their own; null: none is connected. */
  installation: ChatSettings | null;
  /** Dials public addresses and allowed targets only, whatever a name resolves to at that moment. */
  connect: ChatSettings['connect'];
  allowedTargets: ReadonlySet<string>;
  /** Longest wait of a test. */
  budgetMs: number;
  /** @throws WriterUnavailable when no configured key opens the sealed one */
  settingsOf(accountId: string, own: OwnModel): ChatSettings;
};

export type TextModelOptions = Pick<TextModels, 'installation' | 'allowedTargets' | 'budgetMs'> & {
  secretBox: SecretBox;
};

export function openTextModels({ secretBox, ...options }: TextModelOptions): TextModels {
  const connect = createGuardedConnector(options.allowedTargets, createResolver());
  return {
    ...options,
    connect,
    settingsOf(accountId, { keySealed, ...own }) {
      const apiKey = keySealed === null ? undefined : secretBox.tryOpen(keySealed, accountId);
      if (apiKey !== null) return { ...own, apiKey, connect };
      throw new WriterUnavailable(
        'writer_unavailable',
        'The key of the text model cannot be opened; nothing was charged. An owner connects the model again.',
      );
    },
  };
}

// Each keeps a breaker and the format that its endpoint knows.
const writersMax = 500;

/**
 * Writes with the model of the workspace, or with `standard` where it has none. Every model has a writer of its
 * own, so that one that is down or slow takes neither turns nor a breaker from others.
 */
export function writerByWorkspace(
  db: Database,
  { settingsOf }: TextModels,
  standard: Writer,
  open: (settings: ChatSettings) => Writer,
): Writer {
  const recall = createRecall<Writer>(writersMax);
  return {
    async write(request) {
      const { owner } = request;
      const row = owner === undefined ? null : await findTextModel(db, owner);
      if (owner === undefined || !row?.own) return await standard.write(request);
      const { own, updatedAt } = row;
      const writer = recall(`${owner} ${updatedAt.toISOString()}`, () => open(settingsOf(owner, own)));
      return await writer.write(request);
    },
  };
}
