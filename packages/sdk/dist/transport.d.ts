import { Pages } from './pages.js';
export type CallOptions = {
    /** Ends the call, its retries included. */
    signal?: AbortSignal | undefined;
    /** Of one attempt, in milliseconds. */
    timeoutMs?: number | undefined;
    maxRetries?: number | undefined;
};
export type WriteOptions = CallOptions & {
    /** Default: a new one for each call. All attempts of a call carry the same. */
    idempotencyKey?: string | undefined;
};
export type TransportSettings = {
    baseUrl: string;
    /** Sent as bearer token, read at each attempt. */
    token: () => string | undefined;
    maxRetries: number;
    timeoutMs: number;
    fetch: typeof globalThis.fetch;
    headers: Readonly<Record<string, string>>;
};
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Request = {
    body?: unknown;
    query?: Readonly<Record<string, unknown>>;
    file?: Blob | Uint8Array;
    takesKey?: boolean;
};
export type Envelope = {
    data?: unknown;
    nextCursor?: string | null;
    error?: {
        code?: unknown;
        message?: unknown;
        requestId?: unknown;
    };
};
export declare class Transport {
    #private;
    constructor(settings: TransportSettings);
    /** The record of the answer, without its envelope. @throws HooklineError */
    send<T>(method: Method, path: string, request: Request, options: WriteOptions): Promise<T>;
    list<T>(path: string, query: object, cursorName: 'cursor' | 'after', options: CallOptions): Pages<T>;
    /** The whole envelope. @throws HooklineError */
    exchange(method: Method, path: string, request: Request, options: WriteOptions): Promise<Envelope>;
}
/** @throws the signal's reason when it ends the wait */
export declare function sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
export {};
