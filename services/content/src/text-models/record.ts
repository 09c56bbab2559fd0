import type { TextModel, TextModelProvider } from '@hookline/shared/contracts/text-model';
import type { Endpoint } from '@hookline/writer/providers';

export type LastTest = NonNullable<TextModel['lastTest']>;

/** What the workspace connected itself. */
export type OwnModel = {
  provider: TextModelProvider;
  model: string;
  baseUrl: string;
  keySealed: string | null;
};

/** `own` is null where the row only keeps the last test of the installation's model. */
export type TextModelRow = { own: OwnModel | null; lastTest: LastTest | null; updatedAt: Date };

const none = { provider: null, model: null, baseUrl: null };

export function toTextModel(row: TextModelRow | null, installation: Endpoint | null): TextModel {
  const lastTest = row?.lastTest ?? null;
  if (row?.own) {
    const { keySealed, ...own } = row.own;
    return { ...own, hasKey: keySealed !== null, source: 'workspace', lastTest };
  }
  if (!installation) return { ...none, hasKey: false, source: 'none', lastTest: null };
  const { provider, model, baseUrl, apiKey } = installation;
  return { provider, model, baseUrl, hasKey: apiKey !== undefined, source: 'installation', lastTest };
}
