import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { selfSigned } from '@hookline/testing/self-signed';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ClientDocuments, createClientDocuments } from './documents.ts';

const trusted = getCACertificates('default');
let server: Server;
let url: string;
let documents: ClientDocuments;
let answer: (response: ServerResponse) => unknown;
let nowMs = 0;

const send = (text: string) => (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(text);

beforeAll(async () => {
  const { key, cert } = selfSigned();
  setDefaultCACertificates([...trusted, cert]);
  server = createServer({ key, cert }, (_request, response) => answer(response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `https://localhost:${port}/client.json`;
  documents = createClientDocuments(new Set([`localhost:${port}`]), { monotonicMs: () => nowMs });
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await documents?.close();
  server?.closeAllConnections();
  server?.close();
});
beforeEach(async () => {
  nowMs += 48 * hourMs;
  answer = send('"first"');
  expect(await documents.read(url, 'a')).toBe('"first"');
  answer = send('"second"');
});

it('keeps a document for 10 minutes, then reads it again', async () => {
  nowMs += 10 * minuteMs - 1;
  expect(await documents.read(url, 'a')).toBe('"first"');
  nowMs += 1;
  expect(await documents.read(url, 'a')).toBe('"second"');
});

it('without an answer or a free place uses a copy of the last day', async () => {
  nowMs += 10 * minuteMs;
  answer = response => response.destroy();
  expect(await documents.read(url, 'a')).toBe('"first"');
  const held: ServerResponse[] = [];
  answer = response => held.push(response);
  const waiting = Promise.allSettled([1, 2].map(at => documents.read(`${url}?n=${at}`, 'a')));
  expect(await documents.read(url, 'a')).toBe('"first"');
  nowMs += 24 * hourMs;
  await expect(documents.read(url, 'a')).rejects.toThrow('too many');
  await eventually(() => expect(held).toHaveLength(2));
  for (const response of held) response.destroy();
  await waiting;
  answer = response => response.destroy();
  await expect(documents.read(url, 'a')).rejects.toThrow('the connection failed');
});

it.each([429, 500, 503])('uses a copy of the last day where its host answers %i', async status => {
  nowMs += 10 * minuteMs;
  answer = response => response.writeHead(status).end();
  expect(await documents.read(url, 'a')).toBe('"first"');
  nowMs += 24 * hourMs;
  await expect(documents.read(url, 'a')).rejects.toThrow(`it answered ${status}`);
});

it('uses a copy also where the page of the error is too long', async () => {
  nowMs += 10 * minuteMs;
  answer = response => response.writeHead(503).end('x'.repeat(20_000));
  expect(await documents.read(url, 'a')).toBe('"first"');
  answer = response => response.writeHead(200).end('x'.repeat(20_000));
  await expect(documents.read(url, 'a')).rejects.toThrow('more than 16384 bytes');
});

it('uses no copy of a document that its host has taken away', async () => {
  nowMs += 10 * minuteMs;
  answer = response => response.writeHead(404).end();
  await expect(documents.read(url, 'a')).rejects.toThrow('it answered 404');
  answer = response => response.destroy();
  await expect(documents.read(url, 'a')).rejects.toThrow('the connection failed');
});
