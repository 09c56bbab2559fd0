type WriterSettings = {
  WRITER: string;
  LLM_BASE_URL?: string | undefined;
  LLM_MODEL?: string | undefined;
  LLM_API_KEY?: string | undefined;
};

/** The content service does not start while settings are `missing`. */
export type ChosenWriter =
  | { kind: 'builtin' }
  | { kind: 'model'; baseUrl: string; model: string }
  | { kind: 'incomplete'; missing: string[] };

/** Chooses who writes the texts. */
export function chooseWriter(settings: WriterSettings): ChosenWriter {
  const { WRITER, LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: apiKey } = settings;
  const isSet = (baseUrl ?? model ?? apiKey) !== undefined;
  if (WRITER === 'builtin' || (WRITER === 'auto' && !isSet)) return { kind: 'builtin' };
  if (baseUrl !== undefined && model !== undefined) return { kind: 'model', baseUrl, model };
  const missing = [
    ...(baseUrl === undefined ? ['LLM_BASE_URL'] : []),
    ...(model === undefined ? ['LLM_MODEL'] : []),
  ];
  return { kind: 'incomplete', missing };
}
