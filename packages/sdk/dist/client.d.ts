/** The two clients: with an API key, and with the session of a person. */
import { KeyResources, SessionResources } from './clients.js';
import { ContentResource, WebhooksResource } from './resources.js';
import { type CallOptions, type Envelope, type Method, Transport, type WriteOptions } from './transport.js';
import type { Content, CreateContent, HooklineEvent, SignIn } from './types.js';
import { type VerifyOptions, type WebhookHeaders } from './webhooks.js';
export type ClientOptions = {
    /** With or without `/api/v1`. Default: `HOOKLINE_BASE_URL`, else `http://localhost:8080`. */
    baseUrl?: string | undefined;
    /** Attempts after the first one. Default 2. */
    maxRetries?: number | undefined;
    /** Of one attempt. Default 60,000. */
    timeoutMs?: number | undefined;
    fetch?: typeof globalThis.fetch | undefined;
    /** Added to every request. */
    headers?: Readonly<Record<string, string>> | undefined;
};
export type HooklineOptions = ClientOptions & {
    /** `svc_live_...`. Default: `HOOKLINE_API_KEY`. */
    apiKey?: string | undefined;
};
export type SessionOptions = ClientOptions & {
    /** `sess_...`. Not needed to sign in or up. */
    token?: string | undefined;
};
export type WaitOptions = CallOptions & {
    /** How long to wait in all. Default 120,000. */
    withinMs?: number | undefined;
    /** Between two looks. Default 1,000. */
    everyMs?: number | undefined;
};
/** The API for an API key. Every method needs the scopes that its description names. */
export declare class Hookline extends KeyResources {
    #private;
    readonly content: ContentCalls;
    readonly webhooks: WebhookCalls;
    /** @throws TypeError without an API key, or with an address that is not http */
    constructor(options?: HooklineOptions);
    /**
     * Calls a route that this version of the library has no method for, and returns the whole envelope.
     * @param path below the base URL, with its parameters filled in
     * @throws HooklineError
     */
    request(method: Method, path: string, { body, query }?: {
        body?: unknown;
        query?: Readonly<Record<string, unknown>> | undefined;
    }, options?: WriteOptions): Promise<Envelope>;
    /**
     * Waits until a content is `ready` or `failed` and returns it.
     * @param jobId the id of the job, which is that of its content
     * @throws HooklineError `wait_ran_out`
     */
    waitFor(jobId: string, options?: WaitOptions): Promise<Content>;
}
/** What a person does: members, keys, connecting accounts. An API key opens none of it. */
export declare class HooklineSession extends SessionResources {
    #private;
    constructor(options?: SessionOptions);
    /** Sent with every request; set it after a sign-in. */
    get token(): string | undefined;
    set token(token: string | undefined);
    /** Signs in and returns a client with the new session. */
    static signIn({ email, password, ...options }: SignIn & ClientOptions): Promise<HooklineSession>;
}
export declare class ContentCalls extends ContentResource {
    #private;
    constructor(transport: Transport, waitFor: (id: string, options: WaitOptions) => Promise<Content>);
    /** As above; `wait: true` returns only a content that is `ready` or `failed`. */
    create(body: CreateContent, { wait, ...options }?: WriteOptions & {
        wait?: boolean | undefined;
    }): Promise<Content>;
}
export declare class WebhookCalls extends WebhooksResource {
    /** `verifyWebhook`, which needs no client. */
    verify(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[], options?: VerifyOptions): Promise<HooklineEvent>;
}
