import { z } from 'zod';
import { answerInteger, record, textField, timestamp, urlField } from './answer-fields.ts';
import { single } from './envelope.ts';
import { exampleTime } from './examples.ts';
import { body, filledText, flag, oneOf, text } from './fields.ts';
import { type BodyOf, contentRoute } from './route.ts';

export const textModelProviders = [
  'openai',
  'anthropic',
  'gemini',
  'openrouter',
  'mistral',
  'ollama',
  'lmstudio',
  'custom',
] as const;
export type TextModelProvider = (typeof textModelProviders)[number];

export const TextModelTest = record('TextModelTest', {
  ok: z.boolean(),
  milliseconds: answerInteger(0, 600_000),
  message: textField.meta({
    description: "The sentence that the model wrote, or the provider's words, without the key.",
  }),
});
export type TextModelTest = z.infer<typeof TextModelTest>;

export const TextModel = record('TextModel', {
  provider: z.enum(textModelProviders).nullable(),
  model: textField.nullable(),
  baseUrl: urlField.nullable(),
  hasKey: z.boolean(),
  source: z.enum(['workspace', 'installation', 'none']).meta({
    description:
      '`workspace`: its own. `installation`: the one that the operator set. `none`: the built-in composer writes, about the app only.',
  }),
  lastTest: TextModelTest.extend({ at: timestamp }).nullable(),
  learns: z.boolean().meta({
    description: 'True: what earlier decks brought helps to choose hooks and structures.',
  }),
});
export type TextModel = z.infer<typeof TextModel>;

const ownersOnly = ['owner'] as const;

const exampleModel: TextModel = {
  provider: 'openai',
  model: 'gpt-4.1-mini',
  baseUrl: 'https://api.openai.com/v1',
  hasKey: true,
  source: 'workspace',
  lastTest: {
    at: exampleTime,
    ok: true,
    milliseconds: 812,
    message: 'Morning light makes a desk look kind.',
  },
  learns: true,
};

export const getTextModel = contentRoute('GET /workspace/text-model', {
  auth: 'session',
  summary: 'Get the text model of the workspace',
  description: 'Which model writes the decks of the workspace. The key is never answered.',
  response: single(TextModel),
  example: { response: { data: exampleModel } },
});

export const setTextModel = contentRoute('PUT /workspace/text-model', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Connect a text model',
  description:
    'Writes one short sentence with it first: what the provider refuses is a 400 with its words, and nothing is saved. `baseUrl` and `model` have defaults, except for `custom`. Without `apiKey` the stored key stays, as long as provider and address do. The answer waits for the model, at most `LLM_BUDGET_SECONDS`.',
  body: body({
    provider: oneOf(textModelProviders),
    model: filledText(200).optional(),
    apiKey: text(1, 1000)
      .regex(/^[!-~]+$/, 'must be printable ASCII characters without spaces')
      .optional(),
    baseUrl: filledText(500).optional().meta({
      description:
        'An OpenAI-compatible endpoint, such as `https://host/v1`: https on the public internet, or an address that the operator allows (`LLM_ALLOW_TARGETS`).',
    }),
  }).meta({ id: 'SetTextModel' }),
  response: single(TextModel),
  waitsOutside: 'always',
  example: {
    body: { provider: 'openai', apiKey: 'sk-...' },
    response: { data: exampleModel },
  },
});

export const changeTextModel = contentRoute('PATCH /workspace/text-model', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Choose whether the writer learns from results',
  description:
    'With `learns: false`, hooks and structures are chosen as if no results were known, by a model and by the built-in composer.',
  body: body({ learns: flag() }).meta({ id: 'ChangeTextModel' }),
  response: single(TextModel),
  example: { body: { learns: false }, response: { data: { ...exampleModel, learns: false } } },
});

export type SetTextModelBody = BodyOf<typeof setTextModel>;

export const deleteTextModel = contentRoute('DELETE /workspace/text-model', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Remove the text model of the workspace',
  description: "The key is erased. The installation's model writes again, or the built-in composer.",
  response: single(TextModel),
  example: {
    response: {
      data: {
        provider: null,
        model: null,
        baseUrl: null,
        hasKey: false,
        source: 'none',
        lastTest: null,
        learns: true,
      },
    },
  },
});

export const testTextModel = contentRoute('POST /workspace/text-model/test', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Test the text model',
  description:
    'Writes one short sentence with the model that writes the decks now. A failure is an answer too, with `ok: false`.',
  response: single(TextModelTest),
  errors: ['not_found'],
  idempotency: 'none',
  waitsOutside: 'always',
  example: {
    response: { data: { ok: true, milliseconds: 812, message: 'Morning light makes a desk look kind.' } },
  },
});
