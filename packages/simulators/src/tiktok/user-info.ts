import type { FastifyInstance } from 'fastify';
import type { World } from '../world.ts';
import { type Caller, type Outcome, runApiCall } from './call.ts';
import { refusal } from './envelope.ts';
import { sharesOf } from './state.ts';

// Fields by the scope that grants them.
const fieldScopes: Record<string, string> = {
  open_id: 'user.info.basic',
  union_id: 'user.info.basic',
  avatar_url: 'user.info.basic',
  avatar_url_100: 'user.info.basic',
  avatar_large_url: 'user.info.basic',
  display_name: 'user.info.basic',
  username: 'user.info.profile',
  bio_description: 'user.info.profile',
  profile_deep_link: 'user.info.profile',
  is_verified: 'user.info.profile',
  follower_count: 'user.info.stats',
  following_count: 'user.info.stats',
  likes_count: 'user.info.stats',
  video_count: 'user.info.stats',
};

export function userInfoRoutes(app: FastifyInstance, world: World): void {
  app.get('/v2/user/info/', (request, reply) =>
    runApiCall(world, request, reply, {
      operation: 'user_info',
      scopes: () => ['user.info.basic', 'user.info.profile', 'user.info.stats'],
      perMinuteMax: () => 600,
      work: (caller, { query }) => userInfo(world, caller, (query as Record<string, unknown>).fields),
    }),
  );
}

function userInfo(world: World, { creator, scopes }: Caller, fields: unknown): Outcome {
  const names = typeof fields === 'string' ? fields.split(',').filter(name => name !== '') : [];
  if (names.length === 0 || names.some(name => !Object.hasOwn(fieldScopes, name))) {
    return {
      refused: refusal('invalid_params', 'fields must be a comma-separated list of known user fields.'),
    };
  }
  if (names.some(name => !scopes.includes(fieldScopes[name] ?? ''))) {
    return { refused: refusal('scope_permission_missed') };
  }
  const avatar = `${world.settings.publicUrl}/tiktok/avatars/${creator.username}.png`;
  const user: Record<string, unknown> = {
    open_id: creator.openId,
    union_id: creator.unionId,
    avatar_url: avatar,
    avatar_url_100: avatar,
    avatar_large_url: avatar,
    display_name: creator.displayName,
    username: creator.username,
    bio_description: 'A creator of the simulator.',
    profile_deep_link: `${world.settings.publicUrl}/tiktok/@${creator.username}`,
    is_verified: false,
    follower_count: 1200,
    following_count: 80,
    likes_count: 5400,
    video_count: sharesOf(world.tiktok, creator.username).filter(share => share.status === 'PUBLISH_COMPLETE')
      .length,
  };
  return { data: { user: Object.fromEntries(names.map(name => [name, user[name]])) } };
}
