import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export type LogLine = {
  level: string;
  time: string;
  service: string;
  msg: string;
  requestId: string;
  trace_id?: string;
  method?: string;
  route?: string;
  status?: number;
  durationMs?: number;
  err?: { message?: string };
};

/** The lines of one request, in the order of the file. Skips a truncated line. */
export async function readLog(path: string, requestId: string): Promise<LogLine[]> {
  const found: LogLine[] = [];
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    // Most lines belong to other requests: only those that contain the id are parsed.
    if (!text.includes(requestId)) continue;
    try {
      const line = JSON.parse(text) as LogLine;
      if (line.requestId === requestId) found.push(line);
    } catch {
      // The last line of a killed process.
    }
  }
  return found;
}
