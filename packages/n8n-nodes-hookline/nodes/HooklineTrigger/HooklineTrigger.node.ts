import { randomUUID } from 'node:crypto';
import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { ask, HooklineFailure, type Json } from '../Hookline/calls';
import { eventsProperty } from '../Hookline/events';
import { faultOf, sender } from '../Hookline/http';
import { complaintAbout } from './signature';

/** What is kept between activation and deactivation. */
type Kept = IDataObject & { webhookId?: string; secret?: string };

export class HooklineTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Hookline Trigger',
    name: 'hooklineTrigger',
    icon: { light: 'file:../../icons/hookline.svg', dark: 'file:../../icons/hookline.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow on an event, by a webhook that Hookline can reach',
    defaults: { name: 'Hookline Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'hooklineApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName:
          'Hookline must reach n8n by https at a public address. Where it cannot, use the Hookline Feed Trigger, which asks for new events.',
        name: 'notice',
        type: 'notice',
        default: '',
      },
      eventsProperty,
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = keptOf(this);
        if (webhookId === undefined || secret === undefined) return false;
        const webhook = await call(this, 'GET', `/webhooks/${webhookId}`);
        if (webhook === null) return false;
        const isSame =
          webhook.url === this.getNodeWebhookUrl('default') &&
          webhook.status === 'enabled' &&
          sorted(webhook.events) === sorted(this.getNodeParameter('events'));
        if (!isSame) await call(this, 'DELETE', `/webhooks/${webhookId}`);
        return isSame;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const kept = keptOf(this);
        const body = { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') };
        const webhook = await call(this, 'POST', '/webhooks', body);
        kept.webhookId = String(webhook?.id);
        kept.secret = String(webhook?.secret);
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = keptOf(this);
        if (kept.webhookId !== undefined) await call(this, 'DELETE', `/webhooks/${kept.webhookId}`);
        delete kept.webhookId;
        delete kept.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData('node') as Kept;
    const complaint =
      rawBody === undefined || secret === undefined
        ? 'there is no secret to check the delivery with'
        : complaintAbout(rawBody, this.getHeaderData(), secret, Date.now());
    if (complaint !== null) {
      this.getResponseObject().status(401).json({ error: complaint });
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
  }
}

const keptOf = (functions: IHookFunctions): Kept => functions.getWorkflowStaticData('node') as Kept;

const sorted = (events: unknown): string => [...(events as string[])].sort().join();

/** The record of the answer; null when there is none of this id any more. */
async function call(
  functions: IHookFunctions,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: Json,
): Promise<Json | null> {
  try {
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    const request = { method, path, query: {}, headers, ...(body === undefined ? {} : { body }) };
    return (await ask(await sender(functions), request)).data as Json;
  } catch (error) {
    if (error instanceof HooklineFailure && error.status === 404 && method !== 'POST') return null;
    throw new NodeApiError(functions.getNode(), ...faultOf(error));
  }
}
