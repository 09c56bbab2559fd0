import type { TextModel, TextModelProvider } from '@hookline/shared/contracts/text-model';
import type { Endpoint } from '@hookline/writer/providers';

export type LastTest = NonNullable<TextModel['lastTest']>;

export type OwnModel = {
  provider: TextModelProvider;
  model: string;
  baseUrl: string;
  keySealed: string | null;
};

/**
 * `own` is null where the row only keeps the last test of the installation's model, or `learns`: whether results
 * of earlier decks choose hooks.
 */
export type TextModelRow = {
  own: OwnModel | null;
  lastTest: LastTest | null;
  learns: boolean;
  updatedAt: Date;
};

const none = { provider: null, model: null, baseUrl: null };

export function toTextModel(row: TextModelRow | null, installation: Endpoint | null): TextModel {
  const { lastTest = null, learns = true } = row ?? {};
  if (row?.own) {
    const { keySealed, ...own } = row.own;
    return { ...own, hasKey: keySealed !== null, source: 'workspace', lastTest, learns };
  }
  if (!installation) return { ...none, hasKey: false, source: 'none', lastTest: null, learns };
  const { provider, model, baseUrl, apiKey } = installation;
  return { provider, model, baseUrl, hasKey: apiKey !== undefined, source: 'installation', lastTest, learns };
}
