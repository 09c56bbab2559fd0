import { createGuardedConnector, createResolver } from '@hookline/shared/http/guarded-connect';
import { createRecall, type SecretBox } from '@hookline/shared/kernel';
import { type ChatSettings, type Writer, WriterUnavailable } from '@hookline/writer';
import type { OwnModel, TextModelRow } from './record.ts';

export type TextModels = {
  /** Of workspaces without a model of their own; null: none is connected. */
  installation: ChatSettings | null;
  /** Dials public addresses and allowed targets only, whatever a name resolves to at that moment. */
  connect: ChatSettings['connect'];
  allowedTargets: ReadonlySet<string>;
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

/** The writer of a workspace, by what it connected. */
export type WriterOf = (accountId: string, model: TextModelRow | null) => Writer;

/**
 * Chooses the model of the workspace, or `standard` where it has none. Every model has a writer of its own, so
 * that one that is down or slow takes neither turns nor a breaker from others.
 */
export function writerByWorkspace(
  { settingsOf }: TextModels,
  standard: Writer,
  open: (settings: () => ChatSettings) => Writer,
): WriterOf {
  const recall = createRecall<Writer>(writersMax);
  return (accountId, model) => {
    if (!model?.own) return standard;
    const { own, updatedAt } = model;
    return recall(`${accountId} ${updatedAt.toISOString()}`, () => open(() => settingsOf(accountId, own)));
  };
}
