/**
 * The server of the protocol, for `POST /mcp` of a gateway and for stdio. It speaks the revision
 * 2026-07-28, which has no sessions, and answers clients of 2025-11-25.
 */
import type { Scope } from '@hookline/shared/contracts/scopes';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { toolsFor } from './all-tools.ts';
import { type Api, ApiFailure } from './api.ts';
import { callTool, describeTool } from './call-tool.ts';
import { prompts, promptText } from './prompts.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';

/** Whom a server answers. */
export type Session = {
  api: Api;
  /** The scopes of the key; decide which tools are listed. The API decides which work. */
  scopes: readonly Scope[];
};

const instructions = `Hookline writes slideshows ("decks") for apps and posts them to TikTok.
A deck is posted only after a person has approved it in the console. No tool approves: call request_approval, give the person the link, and stop.
create_deck draws the texts that you write (hook, slides, closing), or has them written; create_decks queues several. A deck costs 1 credit when it succeeds; everything else is free. schedule_deck is a dry run unless confirm is true.
A call with the same arguments within 24 h answers the same record and creates nothing twice.
An error says code, message and nextStep.`;

// What a client may keep: the lists change with a release or with the scopes of the key.
const listTtlMs = 300_000;

/** @param version of the product */
function createSessionServer({ api, scopes }: Session, version: string): Server {
  const server = new Server(
    {
      name: 'hookline',
      title: 'Hookline',
      version,
      websiteUrl: api.consoleUrl,
      icons: [{ src: `${api.consoleUrl}/icon-192.png`, mimeType: 'image/png', sizes: ['192x192'] }],
    },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' },
        'prompts/list': { ttlMs: listTtlMs, cacheScope: 'private' },
        'resources/list': { ttlMs: listTtlMs, cacheScope: 'private' },
        'resources/templates/list': { ttlMs: listTtlMs, cacheScope: 'private' },
      },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(scopes).map(described) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const outcome = await callTool(params.name, params.arguments, api);
    if (!outcome) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No such tool: ${params.name}`);
    const { page, ...result } = outcome;
    if (page && opensPages(context)) {
      return inputRequired({ inputRequests: { review: inputRequired.elicitUrl(page) } });
    }
    return result;
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: scopes.includes('content:read') ? await inOurWords(listResources(api)) : [],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    const read = await inOurWords(readResource(params.uri, api));
    if (!read) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No such resource: ${params.uri}`);
    return { contents: [read] };
  });
  server.setRequestHandler('prompts/list', () => ({ prompts }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const text = promptText(params.name, params.arguments);
    if (text === null) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `No such prompt, or appId is missing: ${params.name}`,
      );
    }
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  return server;
}

async function inOurWords<T>(work: Promise<T>): Promise<T> {
  return await work.catch(error => {
    if (!(error instanceof ApiFailure)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.code}: ${error.message}`);
  });
}

const descriptions = new Map<string, ReturnType<typeof describeTool>>();

function described(tool: Parameters<typeof describeTool>[0]): ReturnType<typeof describeTool> {
  const known = descriptions.get(tool.name) ?? describeTool(tool);
  descriptions.set(tool.name, known);
  return known;
}

/**
 * True when the client can open a page for the person and has not been asked yet. Whatever it answers, only
 * the record says what the person decided.
 */
function opensPages({ mcpReq }: ServerContext): boolean {
  if (mcpReq.inputResponses !== undefined) return false;
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as
    | { elicitation?: { url?: unknown } }
    | undefined;
  return capabilities?.elicitation?.url !== undefined;
}

/** Serves one HTTP request at a time, each for its own session. Nothing is kept between two of them. */
export function createHandler(version: string): (request: Request, session: Session) => Promise<Response> {
  const handler: McpHttpHandler = createMcpHandler(
    ({ authInfo }) => createSessionServer(authInfo?.extra?.session as Session, version),
    // No stream stays open: there is nothing to subscribe to.
    { maxSubscriptions: 0 },
  );
  return (request, session) =>
    handler.fetch(request, {
      authInfo: { token: '', clientId: '', scopes: [...session.scopes], extra: { session } },
    });
}
