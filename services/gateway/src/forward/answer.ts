/** One answer on its way from a service to the caller: held until it is known to be an envelope, then passed on. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { PublicRoute } from '../public-api.ts';
import { type AnswerHeaders, addAnswerHeaders } from './headers.ts';

/**
 * What the service did instead of answering. After `never_sent` (no byte of the request went out) and `not_believed`
 * (it refused our signature) nothing was done; after the others that cannot be known.
 */
export class UpstreamFailure extends Error {
  readonly kind: 'never_sent' | 'not_believed' | 'lost' | 'late' | 'no_envelope' | 'client_gone';
  constructor(kind: UpstreamFailure['kind'], cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** So much is held back, so that an answer cut short up to here still becomes an envelope. */
const heldMax = 64 * 1024;
// Up to here head and body leave as one text in one write, 5 µs less than two buffers; beyond it the copy costs more.
const textMax = 16 * 1024;

const lateCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const envelopeStart = /^\s*\{\s*"(data|error)"\s*:/;

/**
 * Passes the answer to `response`. Resolves when it is written; rejects with an UpstreamFailure as long as not one
 * byte went out. After that a fault can only cut the connection, which tells the caller that the answer is not whole.
 */
export function passAnswer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  response: ServerResponse,
  passing: Passing,
): Promise<void> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new AnswerHandler(response, passing, resolve, reject));
  });
}

export type Passing = {
  /** The gateway's headers of this answer; what may pass of the service's is added. */
  own: AnswerHeaders;
  answers: PublicRoute['answers'];
  /** The caller was let in here: a 401 of the service can only mean us, by a clock or a key that is wrong. */
  isLetIn: boolean;
  /** The answer has the headers of a body and none. */
  isHead: boolean;
  /** Asked when the head is written: the stop may have begun since the request came. */
  isStopping: () => boolean;
};

let writes: (() => void)[] = [];

/**
 * What is answered in one turn of the event loop is written together at its end: written one by one between other
 * work, each write wakes the client's end again, which costs more than the write (22 µs of 69 a request; together 10).
 */
function writeAtEndOfTurn(write: () => void): void {
  if (writes.push(write) > 1) return;
  setImmediate(() => {
    const now = writes;
    writes = [];
    for (const one of now) one();
  });
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #passing: Passing;
  readonly #resolve: () => void;
  readonly #reject: (failure: UpstreamFailure) => void;
  readonly #onClose = (): void => this.#abort(new UpstreamFailure('client_gone'));
  readonly #onDrain = (): void => this.#controller?.resume();
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isStreaming = false;
  #mustBeEnvelope = false;

  constructor(
    response: ServerResponse,
    passing: Passing,
    resolve: () => void,
    reject: (failure: UpstreamFailure) => void,
  ) {
    this.#response = response;
    this.#passing = passing;
    this.#resolve = resolve;
    this.#reject = reject;
    response.once('close', this.#onClose);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#response.destroyed) controller.abort(new UpstreamFailure('client_gone'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    if (status === 401 && this.#passing.isLetIn) {
      controller.abort(new UpstreamFailure('not_believed'));
      return;
    }
    this.#status = status;
    this.#headers = headers;
    this.#mustBeEnvelope = !this.#passing.isHead && mustBeEnvelope(this.#passing.answers, status);
    const isJson = (headers['content-type'] ?? '').startsWith('application/json');
    if (this.#mustBeEnvelope && !isJson) controller.abort(new UpstreamFailure('no_envelope'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isStreaming) {
      if (!this.#response.write(chunk)) controller.pause();
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes <= heldMax) return;
    const body = Buffer.concat(this.#held);
    if (this.#mustBeEnvelope && !isEnvelope(body, this.#status)) {
      controller.abort(new UpstreamFailure('no_envelope'));
      return;
    }
    this.#isStreaming = true;
    this.#held = [];
    this.#response.writeHead(this.#status, this.#outgoingHeaders());
    this.#response.on('drain', this.#onDrain);
    if (!this.#response.write(body)) controller.pause();
  }

  onResponseEnd(): void {
    this.#detach();
    if (this.#isStreaming) {
      this.#response.end();
      this.#resolve();
      return;
    }
    const body = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    if (this.#mustBeEnvelope && !isEnvelope(body, this.#status)) {
      this.#reject(new UpstreamFailure('no_envelope'));
      return;
    }
    writeAtEndOfTurn(() => this.#writeWhole(body));
  }

  #writeWhole(body: Buffer): void {
    try {
      const headers = this.#outgoingHeaders();
      // Of an answer to HEAD the length is that of what GET would send.
      const length = this.#passing.isHead ? this.#headers['content-length'] : body.length;
      if (this.#status !== 304 && length !== undefined) headers['content-length'] = length;
      this.#response.writeHead(this.#status, headers);
      if (body.length <= textMax) this.#response.end(body.toString('latin1'), 'latin1');
      else this.#response.end(body);
      this.#resolve();
    } catch (error) {
      this.#reject(new UpstreamFailure('no_envelope', error));
    }
  }

  #outgoingHeaders(): AnswerHeaders {
    const { own, answers, isStopping } = this.#passing;
    const headers = { ...own };
    addAnswerHeaders(headers, this.#headers, answers);
    if (isStopping()) headers.connection = 'close';
    return headers;
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#detach();
    const failure =
      error instanceof UpstreamFailure ? error : new UpstreamFailure(this.#kindOf(error), error);
    // Half of it is out: only a cut connection says that the rest is missing.
    if (this.#isStreaming) this.#response.destroy();
    this.#reject(failure);
  }

  #kindOf(error: Error & { code?: string }): UpstreamFailure['kind'] {
    // undici hands out the controller as it begins to write the request, never before it is connected.
    if (!this.#controller) return 'never_sent';
    return lateCodes.has(error.code ?? '') ? 'late' : 'lost';
  }

  #abort(failure: UpstreamFailure): void {
    if (this.#controller) this.#controller.abort(failure);
    else this.#reject(failure);
  }

  #detach(): void {
    this.#response.off('close', this.#onClose);
    this.#response.off('drain', this.#onDrain);
  }
}

function mustBeEnvelope(answers: PublicRoute['answers'], status: number): boolean {
  if (answers === 'envelope') return true;
  // A page may say an error in its own words; a gateway or a proxy in between may not.
  return answers === 'page' ? status >= 500 : status >= 400;
}

/** Whether the first bytes are those of the envelope that the status asks for, and the last closes it. */
function isEnvelope(body: Buffer, status: number): boolean {
  const kind = envelopeStart.exec(body.toString('latin1', 0, 64))?.[1];
  return kind === (status >= 400 ? 'error' : 'data') && status !== 204 && (status < 300 || status >= 400);
}
