/** Example objects for event definitions and documents. */
import type { Job } from '../contracts/content.ts';
import type { Schedule } from '../contracts/schedules.ts';

const at = '2026-11-21T09:00:00.000Z';

export const exampleJob: Job = {
  id: 'content_01jd7r9c5mfw8s3k2n6q4t1vxz',
  status: 'ready',
  resourceType: 'content',
  resourceId: 'content_01jd7r9c5mfw8s3k2n6q4t1vxz',
  cost: 1,
  error: null,
  createdAt: at,
  updatedAt: at,
};

export const exampleOrigin = {
  automationId: 'automation_01jd7r9c5mfw8s3k2n6q4t1vxa',
  firingId: 'firing_01jd7r9c5mfw8s3k2n6q4t1vxb',
};

export const exampleSchedule: Schedule = {
  id: 'schedule_01jd7r9c5mfw8s3k2n6q4t1vxc',
  contentId: exampleJob.id,
  contentVersion: 1,
  tiktokAccountId: 'account_01jd7r9c5mfw8s3k2n6q4t1vxd',
  status: 'sent',
  mode: 'draft',
  privacyLevel: null,
  externalId: null,
  metadata: null,
  scheduledFor: at,
  title: '5 habits small enough for a bad day',
  description: 'Small enough to do tired.\n\n#habits',
  disableComment: false,
  brandOrganic: false,
  brandedContent: false,
  aiGenerated: true,
  autoAddMusic: true,
  waitsBecause: null,
  outcome: 'sent_to_drafts',
  failure: null,
  platformPostId: null,
  platformPostUrl: null,
  sentAt: at,
  automationId: null,
  createdBy: null,
  createdAt: at,
  updatedAt: at,
};
