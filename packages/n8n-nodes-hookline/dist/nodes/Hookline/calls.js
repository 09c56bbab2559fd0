"use strict";
/** Requests of the node, without anything of n8n: what goes where, pages, and what is made of an error. */
Object.defineProperty(exports, "__esModule", { value: true });
exports.HooklineFailure = void 0;
exports.callOperation = callOperation;
exports.ask = ask;
exports.derivedKey = derivedKey;
const rowsPerPage = 100;
const waitMs = 120_000;
const pollEveryMs = 2_000;
/** An answer that is not a success: the API's code and message, or what came instead of them. */
class HooklineFailure extends Error {
    code;
    status;
    requestId;
    constructor(message, facts) {
        super(message);
        this.code = facts.code;
        this.status = facts.status;
        this.requestId = facts.requestId;
    }
    /** For the line below the message. */
    get details() {
        return [
            `Code: ${this.code}`,
            ...(this.status === null ? [] : [`status: ${this.status}`]),
            ...(this.requestId === null ? [] : [`request id: ${this.requestId}`]),
        ].join(', ');
    }
}
exports.HooklineFailure = HooklineFailure;
/** The records that the operation answers. @throws HooklineFailure */
async function callOperation(call) {
    const { operation, send } = call;
    const request = requestOf(call);
    if (operation.answers === 'page')
        return readPages(call, request);
    const { data } = await ask(send, request);
    const rows = Array.isArray(data) ? data : [(data ?? {})];
    const [first] = rows;
    if (operation.waits === true && call.parameter('wait') === true && first !== undefined) {
        return [await finished(call, first)];
    }
    return rows;
}
/** @throws HooklineFailure unless the answer is an envelope with `data` */
async function ask(send, request) {
    const { status, headers, body } = await send(request);
    const envelope = (typeof body === 'object' && body !== null ? body : {});
    if (status >= 200 && status < 300 && 'data' in envelope)
        return envelope;
    const error = (envelope.error ?? {});
    const requestId = text(error.requestId) ?? text(headers['x-request-id']);
    const code = text(error.code);
    if (code !== null)
        throw new HooklineFailure(text(error.message) ?? code, { code, status, requestId });
    throw new HooklineFailure(`${request.method} ${request.path} answered ${status} and not with an envelope of Hookline: is the base URL right?`, { code: 'no_envelope', status, requestId });
}
/** The same key for every attempt of one item in one run of one node. */
function derivedKey(parts) {
    return ['n8n', ...parts].join('-').slice(0, 200);
}
function requestOf({ operation, parameter, instant, idempotencyKey, file }) {
    const { method, fields } = operation;
    const query = {};
    const body = {};
    let { path } = operation;
    for (const field of fields) {
        const given = field.from === undefined ? parameter(field.name) : collected(parameter(field.from), field.name);
        const value = sent(given, field, instant);
        if (field.in === 'path')
            path = path.replace(`{${field.to[0]}}`, encodeURIComponent(String(value ?? '')));
        else if (value === undefined)
            continue;
        else if (field.in === 'query')
            query[field.to[0] ?? ''] = value;
        else
            put(body, field.to, value);
    }
    const headers = operation.takesKey === true ? { 'idempotency-key': idempotencyKey } : {};
    if (file !== undefined) {
        const form = formOf(file);
        return { method, path, query, headers: { ...headers, 'content-type': form.type }, body: form.bytes };
    }
    const hasBody = method === 'PATCH' || fields.some(field => field.in === 'body');
    return { method, path, query, headers, ...(hasBody ? { body } : {}) };
}
/** Undefined: not sent. n8n has no empty value but the empty text. */
function sent(value, { kind }, instant) {
    if (value === undefined || value === null || value === '')
        return undefined;
    if (kind === 'count')
        return value === 0 ? undefined : value;
    if (kind === 'time')
        return instant(value);
    if (kind === 'rows')
        return Array.isArray(value) ? value : value.rows;
    return value;
}
function collected(collection, name) {
    return typeof collection === 'object' && collection !== null ? collection[name] : undefined;
}
function put(body, [name = '', inner], value) {
    if (inner === undefined)
        body[name] = value;
    else
        body[name] = { ...body[name], [inner]: value };
}
async function readPages({ operation, parameter, send }, request) {
    const { cursor = 'cursor' } = operation;
    const wanted = parameter('returnAll') === true ? Number.POSITIVE_INFINITY : Number(parameter('limit') ?? 50);
    const rows = [];
    let next = request.query[cursor];
    while (rows.length < wanted) {
        const limit = Math.min(rowsPerPage, wanted - rows.length);
        const query = { ...request.query, limit, ...(next === undefined ? {} : { [cursor]: next }) };
        const page = await ask(send, { ...request, query });
        const data = page.data;
        rows.push(...data);
        next = page.nextCursor;
        // A feed has a cursor even at its end.
        if (typeof next !== 'string' || data.length < limit)
            break;
    }
    return rows;
}
/** The deck when it is `ready` or `failed`. @throws HooklineFailure `wait_ran_out` */
async function finished({ send, sleep }, content) {
    const id = encodeURIComponent(String(content.id));
    const read = async (path) => (await ask(send, { method: 'GET', path, query: {}, headers: {} })).data;
    let { status } = content;
    for (let waited = 0; status !== 'ready' && status !== 'failed'; waited += pollEveryMs) {
        if (waited >= waitMs) {
            throw new HooklineFailure(`${content.id} is still ${status} after ${waitMs / 1_000} seconds.`, {
                code: 'wait_ran_out',
                status: null,
                requestId: null,
            });
        }
        await sleep(pollEveryMs);
        ({ status } = await read(`/jobs/${id}`));
    }
    return content.status === status ? content : read(`/content/${id}`);
}
/** The boundary is fixed, so that a repeat under the same key has the same body. */
function formOf({ bytes, name }) {
    const boundary = 'hookline-n8n-3f1b7c52a9d84e06';
    const filename = name.replaceAll(/[^\w. -]/g, '_');
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
    const parts = [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)];
    return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) };
}
const text = (value) => (typeof value === 'string' && value !== '' ? value : null);
