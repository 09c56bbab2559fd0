/** Passes the answer of a service to the caller. It is buffered until it is known to be an envelope. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { PublicRoute } from '../../public-api.ts';
import { type AnswerHeaders, addAnswerHeaders } from './headers.ts';
import type { Passage } from './passage.ts';

/**
 * The reason why there is no answer. `never_sent` (no byte of the request was sent) and `not_believed` (the
 * service refused our signature) mean that nothing was done. After the others the outcome is unknown.
 */
export class UpstreamFailure extends Error {
  readonly kind: 'never_sent' | 'not_believed' | 'lost' | 'late' | 'no_envelope' | 'client_gone';
  constructor(kind: UpstreamFailure['kind'], cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** Bytes buffered, so that an answer cut short within them can still be replaced by an envelope. */
const heldMax = 64 * 1024;
// Up to this size, head and body are written as one text: 5 µs faster than two buffers. Above it the copy
// costs more.
const textMax = 16 * 1024;
/** From the first time that an answer waits for its reader. Most slides, of 0.3 MB, are read by then. */
const slowAfterMs = 500;

const lateCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const envelopeStart = /^\s*\{\s*"(data|error)"\s*:/;

export type ToCaller = {
  /** Called when the head is written, because a stop may have begun after the request arrived. */
  isStopping: () => boolean;
  /** Called once for an answer that is not read 500 ms after it began to wait for its reader. */
  giveSlotBack: (passage: Passage) => void;
};

/**
 * Passes the answer to the caller. Resolves with null when it is written, otherwise with the failure. A
 * failure after the first byte also cuts the connection, so that the caller sees an incomplete answer.
 */
export function passAnswer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  passage: Passage,
  toCaller: ToCaller,
): Promise<UpstreamFailure | null> {
  return new Promise(resolve => {
    dispatcher.dispatch(options, new AnswerHandler(passage, toCaller, resolve));
  });
}

let whole: AnswerHandler[] = [];

/**
 * Writes all answers of one turn of the event loop together at its end. Written one by one between other
 * work, each write wakes the client side again, which costs more than the write (22 µs of 69 per request, 10
 * when batched).
 */
function writeAtEndOfTurn(handler: AnswerHandler): void {
  if (whole.push(handler) > 1) return;
  setImmediate(() => {
    const now = whole;
    whole = [];
    for (const one of now) one.writeWhole();
  });
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #passage: Passage;
  readonly #response: ServerResponse;
  readonly #toCaller: ToCaller;
  readonly #resolve: (failure: UpstreamFailure | null) => void;
  /** A change is carried out all the same: it keeps its slot until then, and the audit log reads its answer. */
  readonly #onClose = (): void => {
    const { method } = this.#passage.request;
    if (method === 'GET' || method === 'HEAD' || this.#isStreaming) {
      this.#abort(new UpstreamFailure('client_gone'));
    }
  };
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isStreaming = false;
  #mustBeEnvelope = false;
  #slowTimer: NodeJS.Timeout | undefined;

  constructor(passage: Passage, toCaller: ToCaller, resolve: (failure: UpstreamFailure | null) => void) {
    this.#passage = passage;
    this.#response = passage.reply.raw;
    this.#toCaller = toCaller;
    this.#resolve = resolve;
    this.#response.on('close', this.#onClose);
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
    // The gateway authenticated the caller, so this is about our signature: wrong clock or wrong key.
    if (status === 401 && this.#passage.route.auth !== 'none') {
      controller.abort(new UpstreamFailure('not_believed'));
      return;
    }
    this.#status = status;
    this.#headers = headers;
    this.#mustBeEnvelope = !this.#isHead() && mustBeEnvelope(this.#passage.route.answers, status);
    const isJson = (headers['content-type'] ?? '').startsWith('application/json');
    if (this.#mustBeEnvelope && !isJson) controller.abort(new UpstreamFailure('no_envelope'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isStreaming) {
      if (!this.#response.write(chunk)) this.#awaitReader(controller);
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
    this.#response.on('drain', () => controller.resume());
    if (!this.#response.write(body)) this.#awaitReader(controller);
  }

  #awaitReader(controller: Dispatcher.DispatchController): void {
    if (this.#response.destroyed) controller.abort(new UpstreamFailure('client_gone'));
    else {
      controller.pause();
      this.#slowTimer ??= setTimeout(this.#toCaller.giveSlotBack, slowAfterMs, this.#passage);
    }
  }

  onResponseEnd(): void {
    this.#detach();
    if (this.#isStreaming) {
      this.#response.end();
      this.#resolve(null);
      return;
    }
    writeAtEndOfTurn(this);
  }

  /** The answer has the headers of a body but no body. */
  #isHead(): boolean {
    return this.#passage.request.method === 'HEAD';
  }

  writeWhole(): void {
    const body = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    if (this.#mustBeEnvelope && !isEnvelope(body, this.#status)) {
      this.#resolve(new UpstreamFailure('no_envelope'));
      return;
    }
    try {
      const headers = this.#outgoingHeaders();
      // The answer to HEAD has the content length of GET's body.
      const length = this.#isHead() ? this.#headers['content-length'] : body.length;
      if (this.#status !== 304 && length !== undefined) headers['content-length'] = length;
      this.#response.writeHead(this.#status, headers);
      if (body.length <= textMax) this.#response.end(body.toString('latin1'), 'latin1');
      else this.#response.end(body);
      // Node reports no end of an answer whose caller has gone, and what runs after answers waits for one.
      if (this.#response.destroyed) this.#response.emit('error', new UpstreamFailure('client_gone'));
      this.#resolve(null);
    } catch (error) {
      this.#resolve(new UpstreamFailure('no_envelope', error));
    }
  }

  #outgoingHeaders(): AnswerHeaders {
    // The gateway has set the request id and caching.
    const headers = this.#passage.reply.getHeaders() as AnswerHeaders;
    addAnswerHeaders(headers, this.#headers, this.#passage.route.answers);
    if (this.#toCaller.isStopping()) headers.connection = 'close';
    return headers;
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#detach();
    const failure =
      error instanceof UpstreamFailure ? error : new UpstreamFailure(this.#kindOf(error), error);
    // Part of the answer was sent, and only a cut connection shows that the rest is missing.
    if (this.#isStreaming) this.#response.destroy();
    this.#resolve(failure);
  }

  #kindOf(error: Error & { code?: string }): UpstreamFailure['kind'] {
    // undici passes the controller when it begins to write the request, never before the connection is open.
    if (!this.#controller) return 'never_sent';
    return lateCodes.has(error.code ?? '') ? 'late' : 'lost';
  }

  #abort(failure: UpstreamFailure): void {
    if (this.#controller) this.#controller.abort(failure);
    else this.#resolve(failure);
  }

  #detach(): void {
    this.#response.off('close', this.#onClose);
    clearTimeout(this.#slowTimer);
  }
}

function mustBeEnvelope(answers: PublicRoute['answers'], status: number): boolean {
  if (answers === 'envelope') return true;
  // A page may show its own 4xx, but a 5xx may come from a proxy in between.
  return answers === 'page' ? status >= 500 : status >= 400;
}

/** True if the body starts like the envelope for this status. */
function isEnvelope(body: Buffer, status: number): boolean {
  const kind = envelopeStart.exec(body.toString('latin1', 0, 64))?.[1];
  return kind === (status >= 400 ? 'error' : 'data') && status !== 204 && (status < 300 || status >= 400);
}
