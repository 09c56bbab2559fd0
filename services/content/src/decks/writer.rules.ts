import type { TextModelProvider } from '@hookline/shared/contracts/text-model';
import { type Endpoint, endpointOf } from '@hookline/writer/providers';

type WriterSettings = {
  WRITER: string;
  LLM_PROVIDER?: TextModelProvider | undefined;
  LLM_BASE_URL?: string | undefined;
  LLM_MODEL?: string | undefined;
  LLM_API_KEY?: string | undefined;
};

const settingOf = { baseUrl: 'LLM_BASE_URL', model: 'LLM_MODEL', apiKey: 'LLM_API_KEY' } as const;
type MissingSetting = (typeof settingOf)[keyof typeof settingOf];

/** The content service does not start while settings are `missing`. */
export type ChosenWriter =
  | { kind: 'builtin' }
  | ({ kind: 'model' } & Endpoint)
  | { kind: 'incomplete'; missing: MissingSetting[] };

export function chooseWriter(settings: WriterSettings): ChosenWriter {
  const { WRITER, LLM_PROVIDER, LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: apiKey } = settings;
  const isSet = (LLM_PROVIDER ?? baseUrl ?? model ?? apiKey) !== undefined;
  if (WRITER === 'builtin' || (WRITER === 'auto' && !isSet)) return { kind: 'builtin' };
  const found = endpointOf({ provider: LLM_PROVIDER ?? 'custom', baseUrl, model, apiKey });
  if (!Array.isArray(found)) return { kind: 'model', ...found };
  return { kind: 'incomplete', missing: found.map(field => settingOf[field]) };
}
