/** Clients of `POST /mcp` that others wrote, of two generations, and the journey that each of them walks. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from '../../../../tools/install.mjs';
import { ROOT } from '../../../../tools/test/run-command.ts';

const folder = join(ROOT, 'tests/mcp-clients');

export type McpResult = {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text?: string; data?: string; mimeType?: string; uri?: string }[];
};

export type McpClient = {
  listTools(): Promise<{ tools: { name: string; annotations?: { readOnlyHint?: boolean } }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<McpResult>;
  readResource(resource: { uri: string }): Promise<{ contents: { blob?: string; mimeType?: string }[] }>;
  getPrompt(prompt: { name: string; arguments: Record<string, string> }): Promise<{ messages: unknown[] }>;
  close(): Promise<void>;
};

type Constructors = {
  Client: new (
    info: { name: string; version: string },
    options: object,
  ) => McpClient & {
    connect(transport: object): Promise<void>;
    setRequestHandler?(method: string, handler: (request: { params: unknown }) => unknown): void;
  };
  StreamableHTTPClientTransport: new (
    url: URL,
    options: { requestInit?: RequestInit; authProvider?: object },
  ) => { finishAuth(callback: string | URLSearchParams): Promise<void> };
};

export type Generation = '2.4, 2026-07-28' | '2.4, 2025-11-25' | '1.32, 2025-11-25';
export const generations: readonly Generation[] = ['2.4, 2026-07-28', '2.4, 2025-11-25', '1.32, 2025-11-25'];

export async function installMcpClients(): Promise<void> {
  await ensureInstalled({
    dir: folder,
    lock: join(ROOT, '.cache/install-mcp-clients.lock'),
    what: 'the MCP clients',
    env: { ...process.env },
    say: line => console.log(`  ${line}`),
  });
}

async function load(file: string): Promise<Constructors> {
  return await import(pathToFileURL(join(folder, 'node_modules/@modelcontextprotocol', file)).href);
}

/**
 * @param onPage called with the address that the server asks the client to open; without
 * it the client opens none
 */
export async function connectMcp(
  generation: Generation,
  gatewayUrl: string,
  key: string,
  onPage?: (url: string) => void,
): Promise<McpClient> {
  const isFirst = generation.startsWith('1.');
  const { Client } = await load(isFirst ? 'sdk/dist/esm/client/index.js' : 'client/dist/index.mjs');
  const { StreamableHTTPClientTransport } = await load(
    isFirst ? 'sdk/dist/esm/client/streamableHttp.js' : 'client/dist/index.mjs',
  );
  const client = new Client(
    { name: 'hookline-lab', version: '1' },
    {
      capabilities: onPage ? { elicitation: { url: {} } } : {},
      ...(generation.endsWith('2026-07-28') ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
    },
  );
  if (onPage) {
    client.setRequestHandler?.('elicitation/create', ({ params }) => {
      onPage((params as { url: string }).url);
      return { action: 'accept' };
    });
  }
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gatewayUrl}/mcp`), { requestInit }));
  return client;
}

export type OAuthState = {
  client?: { client_id: string } | undefined;
  tokens?: { access_token: string; refresh_token: string; scope: string } | undefined;
};

export const oauthRedirect = 'http://127.0.0.1:41999/callback';

/**
 * Connects by the client's own OAuth flow, from the first 401 on.
 * @param documentUrl address of the client's metadata document; null: it registers itself
 * @param decide what the person does with the authorization address; answers the address that leads back
 * @param state what the client keeps; filled by the flow
 */
export async function connectMcpByOAuth(
  generation: Generation,
  gatewayUrl: string,
  documentUrl: string | null,
  decide: (authorization: URL) => Promise<URL>,
  state: OAuthState = {},
): Promise<McpClient> {
  const isFirst = generation.startsWith('1.');
  const { Client } = await load(isFirst ? 'sdk/dist/esm/client/index.js' : 'client/dist/index.mjs');
  const { StreamableHTTPClientTransport } = await load(
    isFirst ? 'sdk/dist/esm/client/streamableHttp.js' : 'client/dist/index.mjs',
  );
  let back: URL | undefined;
  let verifier = '';
  let discovered: unknown;
  const authProvider = {
    redirectUrl: oauthRedirect,
    ...(documentUrl === null ? {} : { clientMetadataUrl: documentUrl }),
    clientMetadata: {
      client_name: 'Hookline lab',
      redirect_uris: [oauthRedirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'a state',
    clientInformation: () => state.client,
    saveClientInformation(client: { client_id: string }) {
      state.client = client;
    },
    tokens: () => state.tokens,
    saveTokens(tokens: NonNullable<OAuthState['tokens']>) {
      state.tokens = tokens;
    },
    async redirectToAuthorization(url: URL) {
      back = await decide(url);
    },
    saveCodeVerifier(text: string) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(found: unknown) {
      discovered = found;
    },
    discoveryState: () => discovered,
  };
  const open = async () => {
    const client = new Client(
      { name: 'hookline-lab', version: '1' },
      generation.endsWith('2026-07-28') ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    const transport = new StreamableHTTPClientTransport(new URL(`${gatewayUrl}/mcp`), { authProvider });
    return { client, transport };
  };
  const first = await open();
  try {
    await first.client.connect(first.transport);
    return first.client;
  } catch (error) {
    if (back === undefined) throw error;
    const code = back.searchParams.get('code') ?? '';
    await first.transport.finishAuth(isFirst ? code : back.searchParams);
  }
  const second = await open();
  await second.client.connect(second.transport);
  return second.client;
}

/** The record of a result. @throws Error with the result's text when it is an error */
export function recordOf<T = Record<string, unknown>>({ isError, structuredContent, content }: McpResult): T {
  if (isError || !structuredContent) throw new Error(content[0]?.text ?? 'no content');
  return structuredContent as T;
}

export type Walked = { deckId: string; url: string; refused: string; slideBytes: number; tools: string[] };

/**
 * What an agent does: it writes a deck, looks at a slide, asks for approval, and fails to post
 * what nobody has approved.
 * @throws Error at the first step that is not as promised
 */
export async function walkAsAgent(
  client: McpClient,
  { appId, accountId }: { appId: string; accountId: string },
  topic: string,
): Promise<Walked> {
  const { tools } = await client.listTools();
  const call = async <T>(name: string, args: Record<string, unknown>) =>
    recordOf<T>(await client.callTool({ name, arguments: args }));
  const before = await call<{ balance: number }>('get_credits', {});
  type Deck = { id: string; status: string; approvalStatus: string; slides: string[] };
  const written = await call<Deck>('create_deck', { appId, topic });
  const again = await call<Deck>('create_deck', { appId, topic });
  if (again.id !== written.id) throw new Error('a repeat wrote a second deck');
  const after = await call<{ balance: number }>('get_credits', {});
  if (before.balance - after.balance !== 1) throw new Error('two equal calls did not cost one credit');
  const slide = await client.readResource({ uri: written.slides[0] ?? '' });
  const asked = await call<{ url: string; approvalStatus: string }>('request_approval', {
    deckId: written.id,
  });
  if (asked.approvalStatus !== 'pending') throw new Error(`the deck is ${asked.approvalStatus}`);
  const post = { deckId: written.id, tiktokAccountId: accountId, confirm: true };
  const refused = await client.callTool({ name: 'schedule_deck', arguments: post });
  if (!refused.isError) throw new Error('a deck that nobody approved was scheduled');
  return {
    deckId: written.id,
    url: asked.url,
    refused: refused.content[0]?.text ?? '',
    slideBytes: Buffer.from(slide.contents[0]?.blob ?? '', 'base64').length,
    tools: tools.map(({ name }) => name),
  };
}
