import type { AttemptState } from './states.rules.ts';

export type AttemptRow = {
  id: string;
  /** Null: the schedule was withdrawn after the call. */
  scheduleId: string | null;
  openId: string;
  state: AttemptState;
  publishId: string | null;
  pulledAt: Date | null;
  /** A slide (counted from 1) whose file was gone when the platform requested it. */
  missingSlide: number | null;
  startedAt: Date;
};

/** Content of an attempt: texts, version and comment setting at its time (D-45). */
export type AttemptContent = {
  contentVersion: number;
  title: string;
  description: string;
  disableComment: boolean;
  imageIds: string[];
};
