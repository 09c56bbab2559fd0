import type { z } from 'zod';
import { allTools } from './all-tools.ts';
import { type Api, ApiFailure, RecordEnded } from './api.ts';
import { inputSchema, outputSchema } from './json-schema.ts';
import { nextSteps } from './next-steps.ts';
import { type Extra, idempotencyKeyOf, type Tool } from './tool.ts';

export type CallOutcome = {
  content: Extra[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  /** A page that the client should open for the person; not a part of the protocol's result. */
  page?: { url: string; message: string };
};

/** A tool as `tools/list` answers it. */
export function describeTool(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...inputSchema(tool.input), type: 'object' as const },
    outputSchema: { ...outputSchema(tool.output), type: 'object' as const },
    annotations: {
      title: tool.title,
      readOnlyHint: tool.effect === 'reads',
      destructiveHint: tool.effect === 'removes',
      idempotentHint: tool.isIdempotent,
      openWorldHint: tool.reachesOutside,
    },
  };
}

/** Runs a tool. Every failure is an outcome with `isError`; null: there is no such tool. */
export async function callTool(name: string, given: unknown, api: Api): Promise<CallOutcome | null> {
  const tool = allTools.find(one => one.name === name);
  if (!tool) return null;
  const read = tool.input.safeParse(given ?? {}, { error: inPlainWords });
  if (!read.success) {
    return failed({
      code: 'invalid_request',
      message: sentencesOf(read.error.issues),
      nextStep: nextSteps.invalid_request,
    });
  }
  try {
    const once = { 'idempotency-key': idempotencyKeyOf(name, read.data, api.caller) };
    const { record, extras = [], page } = await tool.run(read.data as never, { api, once });
    return {
      content: [{ type: 'text', text: JSON.stringify(record) }, ...extras],
      structuredContent: record,
      ...(page && { page }),
    };
  } catch (error) {
    if (error instanceof RecordEnded) {
      const { code, message, nextStep } = error;
      return failed({ code, message, nextStep });
    }
    if (!(error instanceof ApiFailure)) throw error;
    const { code, message, status, requestId, param, retryAfterSeconds } = error;
    const isOfState = status === 409 && code === 'invalid_request';
    return failed({
      ...{ code, message, requestId, param, retryAfterSeconds },
      nextStep: isOfState ? stepOfState(retryAfterSeconds) : (nextSteps[code] ?? nextSteps.internal_error),
    });
  }
}

/** After a 409 without a code of its own: a frozen workspace or, with a time, the same call that still runs. */
const stepOfState = (retryAfterSeconds: number | undefined) =>
  retryAfterSeconds === undefined
    ? 'Do what the message says, or tell the person: other arguments do not help.'
    : nextSteps.rate_limited;

export type Failure = {
  code: string;
  message: string;
  requestId?: string | undefined;
  param?: string | undefined;
  retryAfterSeconds?: number | undefined;
  nextStep: string;
};

/** The result of a call that failed: for the model to read, so that it can correct itself. */
export function failed(error: Failure): CallOutcome {
  return { content: [{ type: 'text', text: JSON.stringify({ error }) }], isError: true };
}

/** For arguments whose schema has no message of its own. */
const inPlainWords: z.core.$ZodErrorMap = issue => {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required';
  if (issue.code === 'invalid_type') {
    return `must be a ${issue.expected === 'array' ? 'list' : issue.expected}`;
  }
  if (issue.code === 'too_small') return 'must not be empty';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return undefined;
};

function sentencesOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .map(issue => {
      if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: no such argument`;
      return `${issue.path.join('.')} ${issue.message}`;
    })
    .join('; ');
}
