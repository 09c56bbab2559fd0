import type { AttemptState } from './states.rules.ts';

export type AttemptRow = {
  id: string;
  /** A schedule that was withdrawn after the call leaves null. */
  scheduleId: string | null;
  openId: string;
  state: AttemptState;
  publishId: string | null;
  pulledAt: Date | null;
  /** The file of this slide, counted from 1, was gone when the platform requested it. */
  missingSlide: number | null;
  startedAt: Date;
};

/** An attempt keeps the content of its time (D-45). */
export type AttemptContent = {
  contentVersion: number;
  title: string;
  description: string;
  disableComment: boolean;
  imageIds: string[];
};
