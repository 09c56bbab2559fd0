"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.HooklineTrigger = void 0;
const node_crypto_1 = require("node:crypto");
const n8n_workflow_1 = require("n8n-workflow");
const calls_1 = require("../Hookline/calls");
const events_1 = require("../Hookline/events");
const http_1 = require("../Hookline/http");
const signature_1 = require("./signature");
class HooklineTrigger {
    description = {
        displayName: 'Hookline Trigger',
        name: 'hooklineTrigger',
        icon: { light: 'file:../../icons/hookline.svg', dark: 'file:../../icons/hookline.dark.svg' },
        group: ['trigger'],
        version: 1,
        subtitle: '={{$parameter["events"].join(", ")}}',
        description: 'Starts the workflow on an event, by a webhook that Hookline can reach',
        defaults: { name: 'Hookline Trigger' },
        inputs: [],
        outputs: [n8n_workflow_1.NodeConnectionTypes.Main],
        credentials: [{ name: 'hooklineApi', required: true }],
        webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
        properties: [
            {
                displayName: 'Hookline must reach n8n by https at a public address. Where it cannot, use the Hookline Feed Trigger, which asks for new events.',
                name: 'notice',
                type: 'notice',
                default: '',
            },
            events_1.eventsProperty,
        ],
    };
    webhookMethods = {
        default: {
            async checkExists() {
                const { webhookId, secret } = keptOf(this);
                if (webhookId === undefined || secret === undefined)
                    return false;
                const webhook = await call(this, 'GET', `/webhooks/${webhookId}`);
                if (webhook === null)
                    return false;
                const isSame = webhook.url === this.getNodeWebhookUrl('default') &&
                    webhook.status === 'enabled' &&
                    sorted(webhook.events) === sorted(this.getNodeParameter('events'));
                if (!isSame)
                    await call(this, 'DELETE', `/webhooks/${webhookId}`);
                return isSame;
            },
            async create() {
                const kept = keptOf(this);
                const body = { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') };
                const webhook = await call(this, 'POST', '/webhooks', body);
                kept.webhookId = String(webhook?.id);
                kept.secret = String(webhook?.secret);
                return true;
            },
            async delete() {
                const kept = keptOf(this);
                if (kept.webhookId !== undefined)
                    await call(this, 'DELETE', `/webhooks/${kept.webhookId}`);
                delete kept.webhookId;
                delete kept.secret;
                return true;
            },
        },
    };
    async webhook() {
        const { rawBody } = this.getRequestObject();
        const { secret } = this.getWorkflowStaticData('node');
        const complaint = rawBody === undefined || secret === undefined
            ? 'there is no secret to check the delivery with'
            : (0, signature_1.complaintAbout)(rawBody, this.getHeaderData(), secret, Date.now());
        if (complaint !== null) {
            this.getResponseObject().status(401).json({ error: complaint });
            return { noWebhookResponse: true };
        }
        return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
    }
}
exports.HooklineTrigger = HooklineTrigger;
const keptOf = (functions) => functions.getWorkflowStaticData('node');
const sorted = (events) => [...events].sort().join();
/** The record of the answer; null when there is none of this id any more. */
async function call(functions, method, path, body) {
    try {
        const headers = method === 'POST' ? { 'idempotency-key': (0, node_crypto_1.randomUUID)() } : {};
        const request = { method, path, query: {}, headers, ...(body === undefined ? {} : { body }) };
        return (await (0, calls_1.ask)(await (0, http_1.sender)(functions), request)).data;
    }
    catch (error) {
        if (error instanceof calls_1.HooklineFailure && error.status === 404 && method !== 'POST')
            return null;
        throw new n8n_workflow_1.NodeApiError(functions.getNode(), ...(0, http_1.faultOf)(error));
    }
}
