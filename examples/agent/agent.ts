/**
 * A small agent over the Model Context Protocol: it writes decks for an app, asks a person to
 * approve each, and stops.
 *
 *   HOOKLINE_API_KEY=svc_live_... node examples/agent/agent.ts "slow mornings" "packing light"
 *
 * The model is the endpoint of LLM_BASE_URL and LLM_MODEL (OpenAI-compatible, with tools). Without them a
 * stand-in plays it, which needs no network and shows what a model is asked and answers.
 */

const baseUrl = process.env.HOOKLINE_BASE_URL ?? 'http://localhost:8080/api/v1';
const mcpUrl = `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/mcp`;
const apiKey = process.env.HOOKLINE_API_KEY;
const { LLM_BASE_URL, LLM_MODEL, LLM_API_KEY } = process.env;
const turnsMax = 30;

type Tool = { name: string; description: string; inputSchema: object };
type ToolCall = { id: string; name: string; arguments: Record<string, unknown> };
type Message =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string };
/** Reads the conversation, and answers with calls of tools or, at the end, with text alone. */
type Model = (
  messages: readonly Message[],
  tools: readonly Tool[],
) => Promise<{ text: string; calls: ToolCall[] }>;

/** One request of the protocol, revision 2026-07-28: there is no session and no handshake. */
async function mcp<T>(method: string, params: { name?: string; arguments?: object } = {}): Promise<T> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'hookline-example-agent', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  const answer = (await response.json()) as { result?: T; error?: { message: string } };
  if (!answer.result) throw new Error(answer.error?.message ?? `${mcpUrl} answered ${response.status}`);
  return answer.result;
}

async function callTool({ name, arguments: args }: ToolCall): Promise<string> {
  const { content } = await mcp<{ content: { text?: string }[] }>('tools/call', { name, arguments: args });
  return content[0]?.text ?? '';
}

/** Asks a real model. */
const endpoint: Model = async (messages, tools) => {
  const response = await fetch(`${LLM_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(LLM_API_KEY && { authorization: `Bearer ${LLM_API_KEY}` }),
    },
    body: JSON.stringify({
      model: LLM_MODEL,
      messages: messages.map(toWire),
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  type Wire = {
    content: string | null;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  };
  const { choices } = (await response.json()) as { choices: [{ message: Wire }] };
  const { content, tool_calls: calls = [] } = choices[0].message;
  return {
    text: content ?? '',
    calls: calls.map(({ id, function: { name, arguments: args } }) => ({
      id,
      name,
      arguments: JSON.parse(args),
    })),
  };
};

function toWire(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.call.id, content: message.text };
  if (message.role !== 'assistant') return { role: message.role, content: message.text };
  const calls = message.calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: 'assistant', content: message.text, ...(calls.length > 0 && { tool_calls: calls }) };
}

/** Plays a model: looks at the apps, writes a deck for each topic, asks for approval, and ends its turn. */
const standIn: Model = async messages => {
  const results = messages.filter(message => message.role === 'tool');
  const records = (name: string) =>
    results.filter(({ call }) => call.name === name).map(({ text }) => JSON.parse(text));
  const call = (name: string, args: Record<string, unknown>) => ({
    text: '',
    calls: [{ id: `call_${results.length + 1}`, name, arguments: args }],
  });
  const [apps] = records('list_apps');
  if (!apps) return call('list_apps', { limit: 1 });
  const decks = records('create_deck');
  const failed = decks.find(({ error }) => error);
  if (failed) return { text: `I stopped: ${failed.error.message} ${failed.error.nextStep}`, calls: [] };
  const topics = messages.flatMap(message =>
    message.role === 'user' ? message.text.split('\n').slice(1) : [],
  );
  const topic = topics[decks.length];
  if (topic !== undefined) return call('create_deck', { appId: apps.rows[0].id, topic });
  const asked = records('request_approval');
  const next = decks[asked.length];
  if (next) return call('request_approval', { deckId: next.id });
  const lines = asked.map(({ url }, index) => `${decks[index].result.hook}\n  ${url}`);
  return { text: ['These decks wait for you:', ...lines].join('\n'), calls: [] };
};

const system = `You write slideshows with the tools of Hookline. Write one deck for each topic, request approval for each, then tell the
person the links and stop. Only the person approves. When a tool answers an error, follow its nextStep.`;

async function main(topics: readonly string[]): Promise<void> {
  if (!apiKey) throw new Error('HOOKLINE_API_KEY is not set: npm start prints a key for agents.');
  const model = LLM_BASE_URL && LLM_MODEL ? endpoint : standIn;
  const { tools } = await mcp<{ tools: Tool[] }>('tools/list');
  const messages: Message[] = [
    { role: 'system', text: system },
    { role: 'user', text: ['Write decks about:', ...topics].join('\n') },
  ];
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const { text, calls } = await model(messages, tools);
    messages.push({ role: 'assistant', text, calls });
    if (calls.length === 0) {
      console.log(text);
      return;
    }
    for (const call of calls) {
      console.error(`${call.name} ${JSON.stringify(call.arguments)}`);
      messages.push({ role: 'tool', call, text: await callTool(call) });
    }
  }
  throw new Error(`The model did not end within ${turnsMax} turns.`);
}

const topics = process.argv.slice(2);
await main(topics.length > 0 ? topics : ['slow mornings', 'packing light']).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
