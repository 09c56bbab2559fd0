/** The service behind every candidate: answers any path with an envelope of 1 KB and does nothing else. */
import { createServer } from 'node:http';

const body = Buffer.from(JSON.stringify({ data: { id: 'bench', text: 'x'.repeat(985) } }));
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };

const server = createServer((request, response) => {
  // Read the body to the end, as a service would; only then is the connection kept alive.
  request.resume();
  request.once('end', () => response.writeHead(200, headers).end(body));
});
server.keepAliveTimeout = 65_000;
server.listen(Number(process.argv[2]), '127.0.0.1');
