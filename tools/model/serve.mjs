// An OpenAI-compatible endpoint for a GGUF file on this machine, for the writer's proof. Plain JavaScript:
// its dependency is not in the workspace, so nothing here can be type-checked.
// node tools/model/serve.mjs <file.gguf> [--port 0] [--threads 2] [--chat]; prints one line: its base URL.
// --chat: the model was taught to answer a conversation in ChatML.
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { getLlama, LlamaCompletion } from 'node-llama-cpp';

const contextTokens = 4_096;
const answerTokensMax = 1_024;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '0' },
    threads: { type: 'string', default: '2' },
    chat: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
const name = basename(file, '.gguf');
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({
  contextSize: contextTokens,
  threads: Number(values.threads),
});
const completion = new LlamaCompletion({ contextSequence: context.getSequence() });

/** One answer at a time: further requests wait, as with any server that has one slot. */
let turn = Promise.resolve();
const inTurn = work => {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
};

/** A base model has no roles: the conversation is continued as plain text. */
function tokenizePlain(messages) {
  return model.tokenize(`${messages.map(({ content }) => content).join('\n\n')}\n\n`);
}

/** The marks of the turns are special tokens; what somebody wrote into a message never becomes one. */
function tokenizeChat(messages) {
  const special = text => model.tokenize(text, true);
  const turns = messages.flatMap(({ role, content }) => [
    ...special('<|im_start|>'),
    ...model.tokenize(`${role}\n${content}`),
    ...special('<|im_end|>'),
    ...model.tokenize('\n'),
  ]);
  return [...turns, ...special('<|im_start|>'), ...model.tokenize('assistant\n')];
}

async function complete(body, signal) {
  const { messages, response_format: format, max_tokens: wanted, temperature = 0.7 } = body;
  const grammar =
    format?.type === 'json_schema'
      ? await llama.createGrammarForJsonSchema(format.json_schema.schema)
      : format?.type === 'json_object'
        ? await llama.getGrammarFor('json')
        : undefined;
  const tokens = values.chat ? tokenizeChat(messages) : tokenizePlain(messages);
  const maxTokens = Math.min(wanted ?? answerTokensMax, contextTokens - tokens.length);
  if (maxTokens < 1) throw Object.assign(new Error('the prompt is longer than the context'), { status: 400 });
  const { response, metadata } = await completion.generateCompletionWithMeta(tokens, {
    maxTokens,
    temperature,
    signal,
    ...(grammar && { grammar }),
  });
  const written = model.tokenize(response).length;
  return {
    id: `chatcmpl-${Date.now()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model: name,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: response },
        finish_reason: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
      },
    ],
    usage: {
      prompt_tokens: tokens.length,
      completion_tokens: written,
      total_tokens: tokens.length + written,
    },
  };
}

async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

async function answer(request, signal) {
  if (request.url === '/v1/models') return { object: 'list', data: [{ id: name, object: 'model' }] };
  if (request.url !== '/v1/chat/completions')
    throw Object.assign(new Error('no such route'), { status: 404 });
  const body = await readBody(request);
  return await inTurn(() => {
    signal.throwIfAborted();
    return complete(body, signal);
  });
}

const server = createServer(async (request, response) => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const send = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  try {
    send(200, await answer(request, gone.signal));
  } catch (error) {
    if (!gone.signal.aborted) send(error.status ?? 500, { error: { message: error.message } });
  }
});
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/v1`);
});
