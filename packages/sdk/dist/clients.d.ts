import * as resources from './resources.js';
import type { Transport } from './transport.js';
/** What an API key opens. */
export declare class KeyResources {
    readonly apps: resources.AppsResource;
    readonly templates: resources.TemplatesResource;
    readonly content: resources.ContentResource;
    readonly jobs: resources.JobsResource;
    readonly credits: resources.CreditsResource;
    readonly usage: resources.UsageResource;
    readonly accounts: resources.AccountsResource;
    readonly schedules: resources.SchedulesResource;
    readonly automations: resources.AutomationsResource;
    readonly webhooks: resources.WebhooksResource;
    readonly events: resources.EventsResource;
    readonly analytics: resources.AnalyticsResource;
    constructor(transport: Transport);
}
/** What a person with a login session does. */
export declare class SessionResources {
    readonly auth: resources.SessionAuthResource;
    readonly workspace: resources.SessionWorkspaceResource;
    readonly audit: resources.SessionAuditResource;
    readonly keys: resources.SessionKeysResource;
    readonly accounts: resources.SessionAccountsResource;
    readonly analytics: resources.SessionAnalyticsResource;
    constructor(transport: Transport);
}
