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

/** The lines of one request, in the order of the file. A line that is cut off is passed over. */
export async function readLog(path: string, requestId: string): Promise<LogLine[]> {
  const found: LogLine[] = [];
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    // Most lines are others': only those that name it are parsed.
    if (!text.includes(requestId)) continue;
    try {
      const line = JSON.parse(text) as LogLine;
      if (line.requestId === requestId) found.push(line);
    } catch {
      // The last line of a process that was killed.
    }
  }
  return found;
}
