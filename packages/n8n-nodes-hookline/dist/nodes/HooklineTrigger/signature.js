"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.complaintAbout = complaintAbout;
/** The signature of Standard Webhooks, which every delivery carries. */
const node_crypto_1 = require("node:crypto");
const toleranceSeconds = 300;
/**
 * Null for a delivery that the secret signed in the last five minutes; else what is wrong with it.
 * @param body the bytes as received
 * @param nowMs milliseconds since 1970
 */
function complaintAbout(body, headers, secret, nowMs) {
    const id = one(headers['webhook-id']);
    const timestamp = one(headers['webhook-timestamp']);
    const signatures = one(headers['webhook-signature']);
    if (id === '' || timestamp === '' || signatures === '')
        return 'the headers of Standard Webhooks are missing';
    const isRecent = Math.abs(nowMs / 1_000 - Number(timestamp)) <= toleranceSeconds;
    if (!isRecent)
        return `webhook-timestamp is more than ${toleranceSeconds} s from now`;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = (0, node_crypto_1.createHmac)('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    // While a secret is rotated there is a signature for each.
    const isSigned = signatures.split(' ').some(part => {
        const given = Buffer.from(part.startsWith('v1,') ? part.slice(3) : '', 'base64');
        return given.length === expected.length && (0, node_crypto_1.timingSafeEqual)(given, expected);
    });
    return isSigned ? null : 'no signature matches the secret';
}
const one = (value) => typeof value === 'string' ? value : (value?.[0] ?? '');
