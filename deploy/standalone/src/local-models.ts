/** Text models that other programs serve on this machine. */

export type LocalModel = { program: string; baseUrl: string; model: string };

/** Programs with an OpenAI-compatible route, by the port that they take by default. */
const modelPrograms: readonly { program: string; port: number }[] = [
  { program: 'Ollama', port: 11434 },
  { program: 'LM Studio', port: 1234 },
  { program: 'llama.cpp', port: 8080 },
];

const answerMs = 1_500;
/** Models that turn texts into vectors and cannot write. */
const embeds = /embed|minilm|\bbge\b|\be5\b|rerank/i;

/** The first model of each program that answers. A port with another server, such as our own, is left out. */
export async function findLocalModels(programs = modelPrograms): Promise<LocalModel[]> {
  const found = await Promise.all(
    programs.map(async ({ program, port }) => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const names = await listModels(baseUrl).catch(() => []);
      const model = names.find(name => !embeds.test(name));
      return model === undefined ? [] : [{ program, baseUrl, model }];
    }),
  );
  return found.flat();
}

/**
 * Names of the models of an OpenAI-compatible endpoint.
 * @throws Error with one sentence: it does not answer, or not with a list of models
 */
export async function listModels(baseUrl: string, apiKey?: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/models`, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as { code?: string };
    throw new Error(`it does not answer (${code ?? error.name})`);
  });
  if (!response.ok) throw new Error(`it answers ${response.status}`);
  const { data } = (await response.json().catch(() => ({}))) as { data?: unknown };
  if (!Array.isArray(data)) throw new Error('its answer is not a list of models');
  return data.flatMap((entry: { id?: unknown } | null) => (typeof entry?.id === 'string' ? [entry.id] : []));
}
