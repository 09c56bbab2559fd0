export type ExperimentDeck = {
  experimentId: string;
  startedAt: Date;
  readAfterHours: number;
  contentId: string;
  appId: string;
  hook: string;
  tiktokAccountId: string | null;
  views: number | null;
  isEdited: boolean;
  /** It was rejected and never posted. */
  isRejected: boolean;
  /** The account had the same slides in the 90 days before. */
  isRepeated: boolean;
};
