// Made by "npm run generate" from packages/shared/src/contracts: change it there.

import type { Transport } from '../transport.ts';
import * as resources from './resources.ts';

/** What an API key opens. */
export class KeyResources {
  readonly apps: resources.AppsResource;
  readonly templates: resources.TemplatesResource;
  readonly content: resources.ContentResource;
  readonly jobs: resources.JobsResource;
  readonly analytics: resources.AnalyticsResource;
  readonly credits: resources.CreditsResource;
  readonly usage: resources.UsageResource;
  readonly accounts: resources.AccountsResource;
  readonly schedules: resources.SchedulesResource;
  readonly automations: resources.AutomationsResource;
  readonly events: resources.EventsResource;
  readonly webhooks: resources.WebhooksResource;

  constructor(transport: Transport) {
    this.apps = new resources.AppsResource(transport);
    this.templates = new resources.TemplatesResource(transport);
    this.content = new resources.ContentResource(transport);
    this.jobs = new resources.JobsResource(transport);
    this.analytics = new resources.AnalyticsResource(transport);
    this.credits = new resources.CreditsResource(transport);
    this.usage = new resources.UsageResource(transport);
    this.accounts = new resources.AccountsResource(transport);
    this.schedules = new resources.SchedulesResource(transport);
    this.automations = new resources.AutomationsResource(transport);
    this.events = new resources.EventsResource(transport);
    this.webhooks = new resources.WebhooksResource(transport);
  }
}

/** What a person with a login session does. */
export class SessionResources {
  readonly auth: resources.SessionAuthResource;
  readonly keys: resources.SessionKeysResource;
  readonly audit: resources.SessionAuditResource;
  readonly workspace: resources.SessionWorkspaceResource;
  readonly review: resources.SessionReviewResource;
  readonly accounts: resources.SessionAccountsResource;
  readonly analytics: resources.SessionAnalyticsResource;

  constructor(transport: Transport) {
    this.auth = new resources.SessionAuthResource(transport);
    this.keys = new resources.SessionKeysResource(transport);
    this.audit = new resources.SessionAuditResource(transport);
    this.workspace = new resources.SessionWorkspaceResource(transport);
    this.review = new resources.SessionReviewResource(transport);
    this.accounts = new resources.SessionAccountsResource(transport);
    this.analytics = new resources.SessionAnalyticsResource(transport);
  }
}
