/**
 * The guides at `/docs`, in reading order. Their texts are in `docs/guides`, from which
 * `npm run build` makes `pages/`.
 */
export type Guide = { name: string; title: string; summary: string };

export const guides: readonly Guide[] = [
  { name: 'quickstart', title: 'Quickstart', summary: 'from a store link to a deck that waits for a person' },
  { name: 'approve', title: 'Approve', summary: 'who decides, on which version, and the approval policy' },
  { name: 'schedule', title: 'Schedule', summary: 'check, dry run, post as a draft or publish, and why' },
  { name: 'automate', title: 'Automate', summary: 'a deck at each posting time, in your time zone' },
  {
    name: 'webhooks',
    title: 'Webhooks and events',
    summary: 'signed deliveries, and the same events as a feed',
  },
  { name: 'errors', title: 'Errors and retries', summary: 'the envelope, what to repeat, Idempotency-Key' },
  { name: 'limits', title: 'Limits and credits', summary: 'rates, caps, and what costs a credit' },
  { name: 'agents', title: 'Agents', summary: 'the MCP server, its tools, and the gate that it cannot open' },
  { name: 'n8n', title: 'n8n', summary: 'nodes for every operation, and triggers on events' },
];

/** The text of a guide as Markdown of everybody: tabs become labelled blocks. */
export function withoutTabs(text: string): string {
  return text.replaceAll(/^```(\S+) tab=(\S+)$/gm, (_, language, tab) => `${tab}:\n\n\`\`\`${language}`);
}

/** Paths that a page may name as code; they become links. */
export const linkedPaths: readonly string[] = [
  '/llms.txt',
  '/llms-full.txt',
  '/docs/api',
  '/docs/api.md',
  '/api/v1/openapi.json',
];
