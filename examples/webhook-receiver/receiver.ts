/**
 * A webhook receiver: verifies each event, stores it once and answers at once; another process can read the
 * file and do the work. Node 24 runs it directly:
 *
 * WEBHOOK_SECRET=whsec_... RECORD_FILE=events.jsonl PORT=9000 node receiver.ts
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
const recordFile = process.env.RECORD_FILE ?? 'events.jsonl';
// Content events contain a whole deck; a larger body is not a Hookline event.
const bodyBytesMax = 1_048_576;

// Checks webhook-id, webhook-timestamp (5 minutes either way) and webhook-signature, in constant time. The
// header has two signatures while a rotation overlaps; one match is enough.
const webhook = new Webhook(secret);

// The id is the same on every delivery of an event. Events stored before a restart count too.
const seen = new Set<string>(
  existsSync(recordFile)
    ? readFileSync(recordFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => (JSON.parse(line) as { id: string }).id)
    : [],
);

function receive(request: IncomingMessage, body: string, response: ServerResponse): void {
  const headers = request.headers as Record<string, string>;
  try {
    // The raw bytes: a body that was parsed and serialised again has another signature.
    webhook.verify(body, headers);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.writeHead(400).end(error.message);
    return;
  }
  const id = headers['webhook-id'] ?? '';
  if (!seen.has(id)) {
    // On disk before the answer: an acknowledged event is never sent again.
    appendFileSync(recordFile, `${JSON.stringify({ id, headers, body })}\n`);
    seen.add(id);
  }
  response.writeHead(204).end();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
    else if (!response.headersSent) response.writeHead(413, { connection: 'close' }).end();
  });
  request.on('end', () => {
    if (response.headersSent) return;
    if (request.method !== 'POST') response.writeHead(405, { allow: 'POST' }).end();
    else receive(request, Buffer.concat(chunks).toString('utf8'), response);
  });
});

server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => console.log('listening'));
