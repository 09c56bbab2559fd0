"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.credentialsName = void 0;
exports.apiAddress = apiAddress;
exports.sender = sender;
exports.faultOf = faultOf;
const calls_1 = require("./calls");
exports.credentialsName = 'hooklineApi';
/** The API's address for a base URL with or without `/api/v1`. */
function apiAddress(baseUrl) {
    return `${baseUrl
        .trim()
        .replace(/\/+$/, '')
        .replace(/\/api\/v1$/, '')}/api/v1`;
}
async function sender(functions) {
    const { baseUrl } = await functions.getCredentials(exports.credentialsName);
    return async ({ method, path, query, headers, body }) => {
        const options = {
            method,
            url: apiAddress(baseUrl) + path,
            qs: query,
            headers,
            // Text would become an object here, and the HTML page of a proxy would look like an answer.
            json: !(body instanceof Uint8Array),
            ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Buffer.from(body) : body }),
            returnFullResponse: true,
            ignoreHttpStatusErrors: true,
            // A redirected POST would arrive as a GET.
            disableFollowRedirect: true,
            timeout: 60_000,
        };
        const answer = await functions.helpers.httpRequestWithAuthentication
            .call(functions, exports.credentialsName, options)
            .catch((error) => {
            const facts = { code: 'connection_failed', status: null, requestId: null };
            throw new calls_1.HooklineFailure(`${method} ${options.url} failed: ${error.message}`, facts);
        });
        const { statusCode, body: received } = answer;
        return { status: statusCode, headers: answer.headers, body: parsed(received) };
    };
}
/** What n8n shows, as arguments of its error: the API's message, and below it code, status and request id. */
function faultOf(error, itemIndex) {
    const at = itemIndex === undefined ? {} : { itemIndex };
    if (error instanceof calls_1.HooklineFailure) {
        const { message, code, status, requestId, details } = error;
        const httpCode = status === null ? '' : String(status);
        return [
            { message, code, requestId },
            { message, description: details, httpCode, ...at },
        ];
    }
    const { message } = error;
    return [{ message }, { message, ...at }];
}
function parsed(body) {
    if (typeof body !== 'string')
        return body;
    try {
        return JSON.parse(body);
    }
    catch {
        return null;
    }
}
