import { isUtf8 } from 'node:buffer';
import { invalidRequest } from '../contracts/index.ts';

/** Largest body, in bytes (D-48). */
export const bodyBytesMax = 256 * 1024;

/** Deepest nesting of a body (D-48). */
const depthMax = 32;

/** Parses a request body. An empty one is `undefined`. @throws ApiError `invalid_request` */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  // Decoding would replace them with U+FFFD and store a text that the caller never sent.
  if (!isUtf8(bytes)) throw invalidRequest('The body must be valid JSON in UTF-8.');
  const text = bytes.toString('utf8');
  // Checked before the parse: a body of 100,000 brackets must cost nothing.
  if (depthOf(text) > depthMax)
    throw invalidRequest(`The body must not nest deeper than ${depthMax} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('The body must be valid JSON.');
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return deepest;
}
