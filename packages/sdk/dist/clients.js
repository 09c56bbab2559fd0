// Made by "npm run generate" from packages/shared/src/contracts: change it there.
import * as resources from './resources.js';
/** What an API key opens. */
export class KeyResources {
    apps;
    templates;
    content;
    jobs;
    credits;
    usage;
    accounts;
    schedules;
    automations;
    webhooks;
    events;
    analytics;
    constructor(transport) {
        this.apps = new resources.AppsResource(transport);
        this.templates = new resources.TemplatesResource(transport);
        this.content = new resources.ContentResource(transport);
        this.jobs = new resources.JobsResource(transport);
        this.credits = new resources.CreditsResource(transport);
        this.usage = new resources.UsageResource(transport);
        this.accounts = new resources.AccountsResource(transport);
        this.schedules = new resources.SchedulesResource(transport);
        this.automations = new resources.AutomationsResource(transport);
        this.webhooks = new resources.WebhooksResource(transport);
        this.events = new resources.EventsResource(transport);
        this.analytics = new resources.AnalyticsResource(transport);
    }
}
/** What a person with a login session does. */
export class SessionResources {
    auth;
    workspace;
    audit;
    keys;
    accounts;
    analytics;
    constructor(transport) {
        this.auth = new resources.SessionAuthResource(transport);
        this.workspace = new resources.SessionWorkspaceResource(transport);
        this.audit = new resources.SessionAuditResource(transport);
        this.keys = new resources.SessionKeysResource(transport);
        this.accounts = new resources.SessionAccountsResource(transport);
        this.analytics = new resources.SessionAnalyticsResource(transport);
    }
}
