/** Refusals below the level of routes, with the same envelope and headers as every other answer. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody, invalidRequest } from '@hookline/shared/contracts';
import { jsonHeaders } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { SecurityHeaders } from './security-headers.ts';

/** Answers requests that Node would refuse with a bare status: an unknown expectation, a tunnel. */
export function answerProtocolRefusals(server: Server, security: SecurityHeaders): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const error = invalidRequest('The Expect header may only be 100-continue.', { status: 417 });
    const requestId = newId('req');
    const body = JSON.stringify(errorBody(error, requestId));
    const headers = { ...jsonHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' };
    response.writeHead(417, { ...security.fields, ...headers, 'x-request-id': requestId }).end(body);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const requestId = newId('req');
    const body = JSON.stringify(errorBody(invalidRequest('This server opens no tunnels.'), requestId));
    socket.on('error', () => socket.destroy());
    socket.end(
      `HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST, PATCH, DELETE\r\nX-Request-Id: ${requestId}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `${security.lines}Connection: close\r\n\r\n${body}`,
    );
  });
}
