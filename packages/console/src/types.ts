/**
 * The records of the API, from the contracts that the services validate with. Types only:
 * nothing of it is bundled.
 */
import type * as analytics from '@hookline/shared/contracts/analytics';
import type * as apps from '@hookline/shared/contracts/apps';
import type * as auth from '@hookline/shared/contracts/auth';
import type * as automations from '@hookline/shared/contracts/automations';
import type * as comments from '@hookline/shared/contracts/comments';
import type * as content from '@hookline/shared/contracts/content';
import type * as batch from '@hookline/shared/contracts/content-batch';
import type * as timeline from '@hookline/shared/contracts/content-timeline';
import type * as credits from '@hookline/shared/contracts/credits';
import type * as experiments from '@hookline/shared/contracts/experiments';
import type * as results from '@hookline/shared/contracts/results';
import type * as review from '@hookline/shared/contracts/review-links';
import type { ResponseOf, RouteContract } from '@hookline/shared/contracts/route';
import type * as schedules from '@hookline/shared/contracts/schedules';
import type * as workspace from '@hookline/shared/contracts/workspace';

export type Role = 'viewer' | 'editor' | 'approver' | 'owner';
export type SlideImage = content.SlideImage & { thumbnailUrl?: string | null };
export type Content = Omit<content.Content, 'images'> & { images: SlideImage[] };
export type BatchOutcome = batch.BatchOutcome;
export type ContentEdit = content.EditContentBody;
export type SlideLook = NonNullable<ContentEdit['coverLook']>;
export type Comment = comments.Comment;
export type ReviewLink = review.ReviewLink;
export type SharedDeck = review.SharedDeck;
export type PostProblem = content.PostProblem;
export type App = apps.App;
export type Picture = apps.Picture;
export type Account = schedules.Account;
export type Schedule = schedules.Schedule;
export type ScheduleWithTimeline = schedules.ScheduleWithTimeline;
export type CreateSchedule = schedules.CreateScheduleBody;
export type PrivacyLevel = schedules.PrivacyLevel;
export type Automation = automations.Automation;
export type Firing = automations.Firing;
export type User = auth.User;
export type Session = { user: User; workspaceId: string };
export type SignInOptions = {
  signUp: 'open' | 'invite' | 'closed';
  /** The OIDC issuer, and where a sign-in there begins. */
  oidc: { name: string; url: string } | null;
  appName: string;
  privacyUrl: string | null;
  termsUrl: string | null;
};
export type VideoAnalytics = analytics.VideoAnalytics;
export type DeckComparison = results.DeckComparison;
export type Experiment = experiments.Experiment;
export type DeckResults = results.DeckResults;
export type Credits = credits.Credits;
export type Workspace = workspace.Workspace;
export type WorkspaceOfPerson = DataOf<typeof workspace.listOwnWorkspaces>[number];
export type ContentMoment = timeline.ContentMoment;
export type TimelineEntry = Pick<ContentMoment, 'at' | 'detail'> & { what: string; by?: ContentMoment['by'] };

export type NextFiring = automations.NextFiring;
export type Counts = content.ContentCounts;

/** What a route answers. */
export type DataOf<R extends RouteContract> = ResponseOf<R> extends { data: infer Data } ? Data : never;

export type Page<T> = { data: T[]; nextCursor: string | null };
export type One<T> = { data: T };
