import type { TextModelProvider } from '@hookline/shared/contracts/text-model';

export type Provider = {
  /** Its OpenAI-compatible endpoint. */
  baseUrl?: string;
  /** A model that writes a deck within the budget; anybody may name another. */
  model?: string;
  needsKey?: true;
  /** The field that bounds an answer: Mistral refuses the one that OpenAI demands. */
  tokensField: 'max_tokens' | 'max_completion_tokens';
  /** Sent where nobody set a bound: the endpoint may demand one. */
  maxTokens?: number;
  /** Accepts a schema and ignores it, so the schema is in the words of the question from the start. */
  ignoresSchema?: true;
};

export const providers: Readonly<Record<TextModelProvider, Provider>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-4.1-mini',
    needsKey: true,
    tokensField: 'max_completion_tokens',
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    model: 'claude-haiku-4-5',
    needsKey: true,
    tokensField: 'max_tokens',
    maxTokens: 4_096,
    ignoresSchema: true,
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-flash-lite-latest',
    needsKey: true,
    tokensField: 'max_tokens',
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    model: 'openai/gpt-4.1-mini',
    needsKey: true,
    tokensField: 'max_tokens',
  },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    model: 'mistral-small-latest',
    needsKey: true,
    tokensField: 'max_tokens',
  },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', model: 'gemma3', tokensField: 'max_tokens' },
  lmstudio: { baseUrl: 'http://127.0.0.1:1234/v1', model: 'google/gemma-3-12b', tokensField: 'max_tokens' },
  custom: { tokensField: 'max_tokens' },
};

export type NamedModel = {
  provider: TextModelProvider;
  baseUrl?: string | undefined;
  model?: string | undefined;
  apiKey?: string | undefined;
};

export type Endpoint = {
  provider: TextModelProvider;
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
};

/** Fills in what is known of the provider. @returns the names of the fields that nobody gave, if any */
export function endpointOf({
  provider,
  apiKey,
  ...given
}: NamedModel): Endpoint | ('baseUrl' | 'model' | 'apiKey')[] {
  const known = providers[provider];
  const { baseUrl = known.baseUrl, model = known.model } = given;
  if (baseUrl !== undefined && model !== undefined && (apiKey !== undefined || !known.needsKey)) {
    return { provider, baseUrl, model, apiKey };
  }
  return [
    ...(baseUrl === undefined ? ['baseUrl' as const] : []),
    ...(model === undefined ? ['model' as const] : []),
    ...(known.needsKey && apiKey === undefined ? ['apiKey' as const] : []),
  ];
}
