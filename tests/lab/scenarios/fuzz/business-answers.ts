/**
 * Answers that the document's schemas cannot express: valid requests that are rightly refused, and routes
 * that end in 501. By operation, each with its reason; every other finding of schemathesis is a failure.
 */
export type BusinessAnswer = {
  /** Statuses of refusals of requests that the schemas allow. */
  refusedWith?: readonly number[];
  /** Statuses of requests that the schemas forbid and that are rightly accepted. */
  acceptedWith?: readonly number[];
  /** 5xx that are the documented answer. */
  serverErrors?: readonly number[];
  /** The operation is left out. */
  isLeftOut?: true;
  why: string;
};

const foreignCursor = {
  refusedWith: [400],
  why: 'a cursor must be one that the list gave out; no schema can tell those from other texts',
} satisfies BusinessAnswer;

const shortTime = 'a time may be without seconds, which the format date-time does not know';
const reusedKey = 'Idempotency-Key sent again with another body';

export const businessAnswers: Readonly<Record<string, BusinessAnswer>> = {
  listAccounts: foreignCursor,
  updateAccount: { refusedWith: [400], why: 'timezone must be an IANA zone' },
  listApps: foreignCursor,
  reviewApp: { refusedWith: [400], why: 'pictureId goes with the item picture alone' },
  listAutomations: foreignCursor,
  listContent: foreignCursor,
  listReviewLinks: foreignCursor,
  createReviewLink: { refusedWith: [400], why: `20 open links of a content; ${reusedKey}` },
  listComments: foreignCursor,
  createComment: { refusedWith: [400], why: `slide must be one of the deck; ${reusedKey}` },
  listDeliveries: foreignCursor,
  listEvents: foreignCursor,
  listFirings: foreignCursor,
  listKeys: foreignCursor,
  listLedger: foreignCursor,
  listSchedules: {
    ...foreignCursor,
    acceptedWith: [200],
    why: `${foreignCursor.why}; ${shortTime}`,
  },
  listPictures: foreignCursor,
  listWebhooks: foreignCursor,
  listPosts: foreignCursor,
  listMembers: foreignCursor,
  listInvitations: foreignCursor,
  listSessions: foreignCursor,
  listAudit: foreignCursor,
  subscribePush: { refusedWith: [400], why: 'keys must be those that a browser made' },
  deleteWorkspace: { refusedWith: [400], why: 'password must be the password' },
  restoreWorkspace: { refusedWith: [400], why: 'password must be the password' },
  updateApp: { refusedWith: [400], why: 'brand.logoImageId must be the id of a picture of the app' },
  addPicture: { refusedWith: [400, 415], why: 'file must hold the bytes of a JPEG, PNG or WebP' },
  approveContent: { refusedWith: [400], why: reusedKey },
  rejectContent: { refusedWith: [400], why: reusedKey },
  requestChanges: { refusedWith: [400], why: reusedKey },
  updateWorkspace: { refusedWith: [400], why: 'timezone must be an IANA zone' },
  createInvitation: {
    refusedWith: [400],
    why: 'one open invitation for each address, none for a member; Idempotency-Key sent again with another body',
  },
  acceptInvitation: { refusedWith: [400], why: 'token must be one of an open invitation' },
  confirmPasswordReset: { refusedWith: [400], why: 'token must be one of a link that was mailed' },
  verifyEmail: { refusedWith: [400], why: 'token must be one of a link that was mailed' },
  addPhone: { refusedWith: [400], why: reusedKey },
  markPosted: { refusedWith: [400], why: 'id must be the id of a schedule of mode phone' },
  connectTiktok: { refusedWith: [400], why: reusedKey },
  changePassword: { refusedWith: [400], why: 'current must be the password' },
  signUp: { refusedWith: [400], why: 'the address is registered already' },
  createKey: { refusedWith: [400], why: 'expiresAt must be in the future' },
  createApp: { refusedWith: [400], why: 'appStoreUrl must be the address of an app that the store knows' },
  refreshApp: {
    refusedWith: [400, 409],
    why: 'the store has no such app any more; a listing given by hand has no page',
  },
  createContent: {
    refusedWith: [400, 402],
    why: 'an Idempotency-Key sent again with another body (the example key always is); 402 once the credits are spent',
  },
  createContentBatch: {
    acceptedWith: [202],
    why: 'each item is checked by itself, and what is wrong with one is its outcome',
  },
  editContent: { refusedWith: [400], why: 'a text that no font can draw is refused, naming the slide' },
  tiktokCallback: {
    refusedWith: [400],
    why: 'state must be of a connection that was begun and not finished',
  },
  finishTiktok: {
    refusedWith: [400],
    why: 'state must be of a connection that came back and is not finished',
  },
  createSchedule: {
    refusedWith: [400],
    why: 'scheduledFor at most 60 s past and 365 days ahead; privacyLevel goes with mode publish; Idempotency-Key sent again with another body',
  },
  updateSchedule: {
    refusedWith: [400],
    why: 'scheduledFor at most 60 s past and 365 days ahead; privacyLevel goes with mode publish',
  },
  deleteSchedule: { refusedWith: [400], why: 'a failed schedule cannot be withdrawn' },
  createAutomation: {
    refusedWith: [400],
    acceptedWith: [201],
    why: `${shortTime}; timezone must be an IANA zone; privacyLevel goes with postingMode publish; at most so many posting times a day; topics go without brief.topic; until leaves it a slot`,
  },
  updateAutomation: {
    refusedWith: [400],
    acceptedWith: [200],
    why: `${shortTime}; timezone must be an IANA zone; privacyLevel goes with postingMode publish; topics go without brief.topic; one that is active has a slot left`,
  },
  runAutomation: { refusedWith: [400], why: 'an automation that is paused or has ended is not run' },
  setTextModel: { isLeftOut: true, why: 'it asks providers on the internet' },
  createWebhook: { refusedWith: [400], why: 'url must be https and its address public' },
  updateWebhook: { refusedWith: [400], why: 'url must be https and its address public' },
  rotateWebhook: { refusedWith: [400], why: 'at most 10 secrets may be in overlap' },
  testWebhook: { refusedWith: [400], why: 'a disabled webhook is sent nothing' },
  replayDelivery: { refusedWith: [400], why: 'a disabled webhook is sent nothing' },
  replayWebhook: {
    refusedWith: [400],
    acceptedWith: [202],
    why: `a disabled webhook is sent nothing; ${reusedKey}; ${shortTime}`,
  },
  enterResults: { refusedWith: [400], why: `at must not be in the future; ${reusedKey}; ${shortTime}` },
  compareDecks: { refusedWith: [400], why: 'timezone must be an IANA zone' },
  getSeries: {
    refusedWith: [400],
    why: 'from and to must be days of the calendar, in their order, at most 365 days apart',
  },
  registerPost: {
    refusedWith: [400],
    why: 'an id must have the form of its platform; a post is registered once; an Instagram post needs a source',
  },
  listExperiments: foreignCursor,
  startExperiment: {
    refusedWith: [400],
    why: `two or three hooks of one app, in no other experiment, by hooks or against; ${reusedKey}`,
  },
  addDeckPost: { refusedWith: [400], why: `url must be of a post on YouTube or Instagram; ${reusedKey}` },
  remixContent: { serverErrors: [501], why: '501 for every id and body (D-41)' },
  createSource: { refusedWith: [400], why: 'the token must be one that Instagram accepts' },
  listSources: foreignCursor,
};
