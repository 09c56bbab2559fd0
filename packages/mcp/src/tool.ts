import { createHash } from 'node:crypto';
import type { Scope } from '@hookline/shared/contracts/scopes';
import stringify from 'safe-stable-stringify';
import { z } from 'zod';
import type { Api } from './api.ts';

/** What a tool answers besides its record. */
export type Extra =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; mimeType: string };

export type ToolResult = {
  /** Matches the tool's `output`. */
  record: Record<string, unknown>;
  extras?: readonly Extra[];
  /** A page for the person. The client is asked to open it where it can. */
  page?: { url: string; message: string };
};

export type ToolContext = {
  api: Api;
  /** The headers that make a POST safe to repeat. */
  once: Readonly<Record<string, string>>;
};

export type Tool = {
  name: string;
  title: string;
  /** Effect, cost and limits. */
  description: string;
  /** What it changes. `removes`: something that was there is gone afterwards. */
  effect: 'reads' | 'writes' | 'removes';
  /** A repeat with the same arguments changes nothing more. */
  isIdempotent: boolean;
  /** Reaches servers of others: an app store, TikTok. */
  reachesOutside: boolean;
  /** A key needs all of them to see the tool. */
  scopes: readonly Scope[];
  input: z.ZodObject;
  output: z.ZodObject;
  run: (args: never, context: ToolContext) => Promise<ToolResult>;
};

/** A tool whose `run` has the type of its `input`. */
export function defineTool<I extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: I;
    run: (args: z.output<I>, context: ToolContext) => Promise<ToolResult>;
  },
): Tool {
  return tool as unknown as Tool;
}

/** Arguments that refuse unknown names. */
export function args<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape);
}

export const reads = { effect: 'reads', isIdempotent: true, reachesOutside: false } as const;
export const writes = { effect: 'writes', isIdempotent: true, reachesOutside: false } as const;

const noKey = 'must be a text of 1 to 200 characters';

/** The argument of every tool that creates something. */
export const again = {
  idempotencyKey: z
    .string({ error: noKey })
    .min(1, noKey)
    .max(200, noKey)
    .optional()
    .meta({
      description:
        'Leave it out. The same arguments within 24 h then answer the same record as it is now; another text creates another one.',
      examples: ['second try'],
    }),
};

/**
 * The Idempotency-Key of a call: the same for the same tool, arguments and API key, so that a repeat after
 * a lost answer acts once.
 */
export function idempotencyKeyOf(tool: string, given: unknown, caller: string): string {
  const text = stringify([tool, given, caller]);
  return `mcp-${createHash('sha256').update(text).digest('base64url')}`;
}
