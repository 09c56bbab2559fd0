/**
 * A call that failed, after its retries. The message is the API's: it names the field
 * and says what is accepted.
 */
export class HooklineError extends Error {
    name = 'HooklineError';
    code;
    /** HTTP status; null when there was no answer. */
    status;
    /** Quote it when you ask for help. */
    requestId;
    /** Seconds after which the same request is accepted, where the API named them. */
    retryAfterSeconds;
    constructor(message, facts) {
        super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
        this.code = facts.code;
        this.status = facts.status ?? null;
        this.requestId = facts.requestId ?? null;
        this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    }
}
