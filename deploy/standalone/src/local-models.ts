/** Text models that other programs serve on this machine. */
import type { TextModelProvider } from '@hookline/shared/contracts/text-model';

/** `provider`: the settings that name it. */
export type LocalModel = { program: string; provider: Record<string, string>; model: string };

/** Programs with an OpenAI-compatible route, by the port that they take by default. */
const modelPrograms: readonly { program: string; port: number; provider?: TextModelProvider }[] = [
  { program: 'Ollama', port: 11434, provider: 'ollama' },
  { program: 'LM Studio', port: 1234, provider: 'lmstudio' },
  { program: 'llama.cpp', port: 8080 },
];

const answerMs = 1_500;
/** Models that turn texts into vectors and cannot write. */
const embeds = /embed|minilm|\bbge\b|\be5\b|rerank/i;

/** The first model of each program that answers. A port with another server, such as our own, is left out. */
export async function findLocalModels(programs = modelPrograms): Promise<LocalModel[]> {
  const found = await Promise.all(
    programs.map(async ({ program, port, provider }) => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const names = await listModels(baseUrl);
      const model = names.find(name => !embeds.test(name));
      return model === undefined
        ? []
        : [{ program, provider: provider ? { LLM_PROVIDER: provider } : { LLM_BASE_URL: baseUrl }, model }];
    }),
  );
  return found.flat();
}

/** Names of the models of an OpenAI-compatible endpoint; none where something else answers, or nothing. */
async function listModels(baseUrl: string): Promise<string[]> {
  const signal = AbortSignal.timeout(answerMs);
  const response = await fetch(`${baseUrl}/models`, { redirect: 'manual', signal }).catch(() => null);
  const answer = response?.ok ? await response.json().catch(() => null) : null;
  const { data } = (answer ?? {}) as { data?: unknown };
  const entries: ({ id?: unknown } | null)[] = Array.isArray(data) ? data : [];
  return entries.flatMap(entry => (typeof entry?.id === 'string' ? [entry.id] : []));
}
