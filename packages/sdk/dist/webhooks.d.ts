/** Verification of deliveries, for receivers. */
import type { HooklineEvent } from './types.js';
export declare class WebhookVerificationError extends Error {
    name: string;
}
export type WebhookHeaders = {
    get(name: string): string | null;
} | Readonly<Record<string, string | readonly string[] | undefined>>;
export type VerifyOptions = {
    /** How far the delivery's time may be from now. Default 300. */
    toleranceSeconds?: number | undefined;
    /**
     * `standard`: the headers of Standard Webhooks, which carry the time. `service`: `X-Service-Signature` of
     * the body alone, which does not protect from a repeat of an old delivery. Default `standard`.
     */
    signature?: 'standard' | 'service' | undefined;
};
/**
 * Checks the signature of a delivery and returns its event.
 * @param body the bytes as received, before any JSON parser
 * @param secret `whsec_...`; several while a secret is being rotated
 * @throws WebhookVerificationError
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[], options?: VerifyOptions): Promise<HooklineEvent>;
