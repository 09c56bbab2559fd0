export type Started = { id: string; appId: string; startedAt: Date };

export type ExperimentDeck = {
  readAfterHours: number;
  contentId: string;
  hook: string;
  tiktokAccountId: string | null;
  views: number | null;
  isEdited: boolean;
  /** It was rejected and never posted. */
  isRejected: boolean;
  /** The account had the same slides in the 90 days before. */
  isRepeated: boolean;
};
