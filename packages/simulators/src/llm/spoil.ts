type Content = string | Record<string, unknown>[] | null;
type Spoiled = {
  message: { content: Content; refusal: string | null };
  finishReason: 'stop' | 'length' | 'content_filter' | 'SAFETY' | 'error';
};

/** Applies a fault of the model to the answer; null and faults of the endpoint change nothing. */
export function spoil(value: unknown, kind: string | null, body: Record<string, unknown>): Spoiled {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (kind) {
    case 'malformed_json':
      return answered(text.replace(/"(,|\])/, '$1'));
    case 'wrapped_json':
      return answered(
        `<think>{"draft": true}</think>\nSure, here it is:\n\`\`\`json\n${text}\n\`\`\`\nEnjoy.`,
      );
    case 'parroted':
      return answered(lastExampleOf(body) ?? text);
    case 'truncated':
      return { ...answered(text.slice(0, text.length / 2)), finishReason: 'length' };
    case 'refusal':
      return { message: { content: null, refusal: 'I cannot help with that.' }, finishReason: 'stop' };
    case 'content_filter':
      return { message: { content: '', refusal: null }, finishReason: 'content_filter' };
    case 'safety':
      return { message: { content: null, refusal: null }, finishReason: 'SAFETY' };
    case 'provider_failed':
      return { ...answered(''), finishReason: 'error' };
    case 'empty':
      return answered('');
    case 'spent':
      return { ...answered(''), finishReason: 'length' };
    case 'thinking_parts': {
      const thinking = [{ type: 'text', text: 'First the {hooks}.' }];
      return answered([
        { type: 'thinking', thinking },
        { type: 'text', text },
      ]);
    }
    default:
      return answered(
        JSON.stringify(changed(value, kind, body)) ?? text,
        typeof value === 'string' ? text : null,
      );
  }
}

function answered(content: Content, plain: string | null = null): Spoiled {
  return { message: { content: plain ?? content, refusal: null }, finishReason: 'stop' };
}

const additions: Record<string, string> = {
  banned_phrase: ' Unlock your potential and level up.',
  claim: ' Rated number one by 40,000 users.',
  link: ' See https://win.example/now for more.',
  foreign_name: ' It works like Zoomly does.',
  rare_script: ' ሰላም ለዓለም',
};

function changed(value: unknown, kind: string | null, body: Record<string, unknown>): unknown {
  if (kind === 'wrong_count') return mapLists(value, list => list.slice(0, -1));
  if (kind === 'repeated_slides') return mapLists(value, list => list.map(() => list[0]));
  if (kind === 'over_long') return mapTexts(value, text => Array.from({ length: 30 }, () => text).join(' '));
  if (kind === 'obeys_data') return mapTexts(value, () => longestTextOf(body));
  if (kind === 'invented')
    return mapTexts(value, text =>
      text.replace(/ can do this: .*/, ' translates menus and books ferries abroad.'),
    );
  const addition = kind === null ? undefined : additions[kind];
  return addition === undefined ? value : mapTexts(value, text => text + addition);
}

/** Sentences only: language tags and hashtags stay unchanged. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return value.includes(' ') ? change(value) : value;
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

function mapLists(value: unknown, change: (list: unknown[]) => unknown[]): unknown {
  if (Array.isArray(value)) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapLists(item, change)]));
}

/** The worked example, which a small model repeats. */
function lastExampleOf(body: Record<string, unknown>): string | undefined {
  const messages = body.messages as { role: string; content: string }[];
  return messages.findLast(({ role }) => role === 'assistant')?.content;
}

/** The text that a model misled by its data (prompt injection) would repeat. */
function longestTextOf(body: Record<string, unknown>): string {
  const messages = body.messages as { role: string; content: string }[];
  const asked = messages.filter(({ role, content }) => role === 'user' && content.startsWith('{'));
  const data = asked.at(-1)?.content ?? '';
  const texts = data.match(/"(?:[^"\\]|\\.)*"/g)?.map(text => JSON.parse(text) as string) ?? [data];
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
