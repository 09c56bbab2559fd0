import { z } from 'zod';
import { faultKinds } from '../faults/fault-kinds.ts';

const privacyLevel = z.enum([
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
]);
const delayMs = z.int().min(0).max(86_400_000);

/** `hits` is accepted and ignored, so that a GET answer can be sent back. */
export const FaultList = z.array(
  z
    .strictObject({
      platform: z.string(),
      operation: z.string(),
      kind: z.string(),
      share: z.number().min(0).max(1),
      times: z.int().min(0).optional(),
      delayMs: delayMs.optional(),
      hits: z.int().optional(),
    })
    .refine(isKnownFault, { message: 'must be one of GET /_control/fault-kinds' }),
);

/** Absent fields keep their value; the read-only ones of GET's answer are accepted and ignored. */
export const CreatorChange = z.strictObject({
  username: z.unknown().optional(),
  openId: z.unknown().optional(),
  unionId: z.unknown().optional(),
  counters: z.unknown().optional(),
  displayName: z.string().min(1).max(100).optional(),
  privacyLevels: z.array(privacyLevel).min(1).optional(),
  commentDisabled: z.boolean().optional(),
  canPost: z.boolean().optional(),
  banned: z.boolean().optional(),
  openDraftsMax: z.int().min(0).optional(),
  postsPerDayMax: z.int().min(0).optional(),
  initPerMinuteMax: z.int().min(0).optional(),
});

export const Username = z
  .string()
  .regex(/^[a-z0-9_.]{2,24}$/i, 'must be 2 to 24 letters, digits, underscores, dots');

export const ClientChange = z.strictObject({
  audited: z.boolean().optional(),
  scopes: z.array(z.string()).min(1).optional(),
  webhookUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .optional(),
  oauthErrorStatus: z.union([z.literal(200), z.literal(400)]).optional(),
  accessTokenSeconds: z.int().min(1).optional(),
  refreshTokenSeconds: z.int().min(1).optional(),
});

export const ListingBody = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  developer: z.string(),
  category: z.string(),
  language: z.string().min(2).default('en'),
  country: z
    .string()
    .regex(/^[a-z]{2}$/i)
    .transform(country => country.toLowerCase())
    .nullable()
    .default(null),
  iconUrl: z.url().nullable().default(null),
  screenshots: z.int().min(0).max(10).default(0),
});

const count = z.int().min(0).nullable().default(null);

export const VideoBody = z.strictObject({
  views: count,
  likes: count,
  comments: count,
  shares: count,
  publishedAt: z.iso.datetime().optional(),
  owner: z.string().nullable().default(null),
  removed: z.boolean().optional(),
  refused: z.boolean().optional(),
  refusedNames: z.array(z.string()).optional(),
});

export const Disconnect = z.strictObject({ reason: z.int().min(0).max(5).default(1) });

function isKnownFault(fault: { platform: string; operation: string; kind: string }): boolean {
  return faultKinds.some(
    known =>
      known.platform === fault.platform && known.operation === fault.operation && known.kind === fault.kind,
  );
}
