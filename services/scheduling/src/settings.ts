import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';
import { z } from 'zod';

export const schedulingSettings = {
  ...pickSettings('PUBLIC_URL', 'ENCRYPTION_KEYS', 'MEDIA_SIGNING_KEY'),
  TIKTOK_API_URL: {
    schema: forms.httpUrl(),
    about:
      "TikTok's API. Required; with `npm start`, unset: the real one if TIKTOK_CLIENT_KEY is set, else the simulator.",
  },
  TIKTOK_AUTH_URL: {
    schema: forms.httpUrl(),
    about:
      "TikTok's consent pages. Required; with `npm start`, unset: the real one if TIKTOK_CLIENT_KEY is set, else the simulator.",
  },
  TIKTOK_CLIENT_KEY: {
    schema: z.string().min(1),
    about: 'Client key of the TikTok app. Required; with `npm start`, unset: every platform is simulated.',
  },
  TIKTOK_CLIENT_SECRET: {
    schema: z.string().min(1),
    about: 'Client secret of the TikTok app. Required; with `npm start`, unset: the simulated one.',
    secret: true,
  },
  TIKTOK_SCOPES: {
    schema: forms
      .commaList()
      .refine(
        list =>
          list.includes('user.info.basic') &&
          (list.includes('video.upload') || list.includes('video.publish')),
        { error: 'must list user.info.basic, and video.upload or video.publish' },
      ),
    default: 'user.info.basic,video.upload,video.publish',
    about:
      'Scopes that a connection requests. TikTok refuses the whole consent page if the app lacks one of them. `user.info.profile`, which new apps do not get, names an account that grants only drafts by its handle. With `video.list` the views, likes, comments and shares of posts are read.',
  },
  POST_LATE_MAX_MINUTES: {
    schema: forms.count(15, 1_440),
    default: '120',
    about:
      'How long after its time a post may still go out. After that it ends as `missed`, and its owner may retry it.',
  },
  WITNESS_FILE: {
    schema: z.string().min(1),
    about:
      'File outside the database in which scheduling records its last calls, so that a restored database is noticed; with `npm start`: `witness.json` in DATA_DIR.',
  },
} as const satisfies SettingTable;
