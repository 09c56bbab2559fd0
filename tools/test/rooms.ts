import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './source-files.ts';

/**
 * @property order rooms (folders of src/, in the gateway one level deeper) from the ground up: each knows those
 * before it
 * @property adapters files, without their ending, that talk to the outside, and rooms whose files all do, apart
 * from rules
 * @property exceptions files that know a room after their own, and why
 */
type Rooms = {
  order: readonly string[];
  adapters: readonly string[];
  exceptions: Readonly<Record<string, string>>;
};

/** The rooms of each service: its folders, each named for what it is about. */
export const ROOMS: Readonly<Record<string, Rooms>> = {
  analytics: {
    order: ['platforms', 'summary', 'sources', 'posts', 'collecting', 'decks', 'experiments', 'upkeep'],
    adapters: ['platforms'],
    exceptions: {},
  },
  automation: {
    order: [
      'slots',
      'automations',
      'firings',
      'receivers',
      'feed',
      'webhooks',
      'deliveries',
      'sending',
      'upkeep',
    ],
    adapters: ['receivers'],
    exceptions: {
      'automations/update.ts': 'slots that are due by the old plan become firings before the new plan holds',
    },
  },
  content: {
    order: [
      'storage',
      'stores',
      'text-models',
      'images',
      'pictures',
      'apps',
      'decks',
      'credits',
      'contents',
      'comments',
      'approvals',
      'permits',
      'jobs',
      'experiments',
      'upkeep',
    ],
    adapters: ['storage', 'stores'],
    exceptions: {},
  },
  gateway: {
    order: [
      'identity/standing',
      'identity/audit',
      'identity/users',
      'identity/sessions',
      'identity/keys',
      'identity/workspaces',
      'identity/clients',
      'identity/grants',
      'identity/links',
      'identity/review-links',
      'identity/push',
      'identity/mail',
      'identity/week',
      'identity/passwords',
      'identity/invitations',
      'identity/oidc',
      'identity/deletion',
      'identity/passkeys',
      'identity/export',
      'edge/limits',
      'edge/forward',
      'edge/gate',
      'site/openapi',
      'site/console',
      'site/docs',
      'site/mcp',
      'site/stream',
    ],
    adapters: [
      'edge/limits/redis-link',
      'edge/limits/redis-script',
      'identity/clients/documents',
      'identity/mail/mailer',
      'identity/push/sender',
      'identity/oidc/issuer',
      'identity/oidc/issuer-access',
      'identity/passwords/hasher',
    ],
    exceptions: {
      'identity/mail/send.ts': 'a mail says who invites, and the invitation stores a mail',
    },
  },
  scheduling: {
    order: [
      'platform',
      'pauses',
      'accounts',
      'numbers',
      'connecting',
      'schedules',
      'slots',
      'creating',
      'decisions',
      'attempts',
      'sending',
      'phone',
      'restore',
      'requests',
      'upkeep',
    ],
    adapters: ['platform', 'pauses/witness-file'],
    exceptions: { 'accounts/delete.ts': 'ends the schedules that wait for the account' },
  },
};

const filesMax = 12;
const linesMax = 2_000;

/** Folders that are no declared room, rooms that are too large, folders in rooms, and `index.ts`. */
export function findRoomFaults(root: string, services = ROOMS): string[] {
  return Object.entries(services).flatMap(([service, { order }]) => {
    const src = `services/${service}/src`;
    const paths = listSources(root, [`services/${service}`]).map(file => file.slice(src.length + 1));
    const folders = Map.groupBy(
      paths.filter(path => path.includes('/')),
      path => path.slice(0, path.lastIndexOf('/')),
    );
    return [
      ...order
        .filter(room => !folders.has(room))
        .map(room => `${src}/${room} is declared and does not exist`),
      ...paths.filter(path => /(^|\/)index\.ts$/.test(path)).map(path => `${src}/${path} says nothing`),
      ...[...folders].flatMap(([room, files]) => {
        if (!order.includes(room)) return [`${src}/${room} is not a declared room`];
        const lines = files.map(file => readFileSync(join(root, src, file), 'utf8').split('\n').length - 1);
        const sum = lines.reduce((total, count) => total + count, 0);
        return files.length > filesMax || sum > linesMax
          ? [`${src}/${room} has ${files.length} files and ${sum} lines: at most ${filesMax} and ${linesMax}`]
          : [];
      }),
    ];
  });
}
