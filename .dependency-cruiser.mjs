import { ROOMS } from './tools/test/rooms.ts';

/**
 * The boundaries that a tool can see. Others are elsewhere: `process.env` only in config.ts is Biome's
 * `noProcessEnv`; SQL only in queries and the size of a room are steps of `npm run check`.
 */
const TESTS = '\\.test\\.ts$|(^|/)test(ing)?/';

/** Modules that do I/O or tell the time; what rules are made of must give the same answer every time. */
const IMPURE = [
  'pg',
  'ioredis',
  'kafkajs',
  'undici',
  'fastify',
  '@fastify/[^/]+',
  'pino',
  '@opentelemetry/[^/]+',
  '@napi-rs/canvas',
  'sharp',
  '@node-rs/argon2',
];

/** What decides without I/O. */
const PURE = ['^(services|packages)/.*(/rules/|\\.rules\\.ts$)', '^packages/deck/'];

/**
 * The floors of packages/shared, from the ground up: each knows those below it, and no file
 * of another but its face.
 */
const FLOORS = ['contracts', 'events', 'kernel', 'postgres', 'bus', 'http', 'leaving', 'service'];

const floorRules = FLOORS.slice(0, -1).map((floor, index) => ({
  name: `${floor}-knows-its-floor`,
  comment: `packages/shared/src/${floor} knows only the floors below it.`,
  from: { path: `^packages/shared/src/${floor}/`, pathNot: TESTS },
  to: { path: `^packages/shared/src/(${FLOORS.slice(index + 1).join('|')})/` },
}));

/** The names of layers; every other file of a room is an action or an adapter. */
const NAMED = {
  routes: 'routes|[^/]+-routes',
  consumers: 'consumer',
  workers: 'worker[^/]*',
  queries: 'queries[^/]*',
  records: 'record',
  rules: '[^/]+\\.rules',
};
const NAMELESS = `(?!(${Object.values(NAMED).join('|')})\\.ts$)[^/]+`;

/**
 * The files of some layers, by their names.
 * @param layers names of layers, separated by `|`
 */
function filesOf(layers) {
  const files = Object.entries(ROOMS).flatMap(([service, { order, adapters }]) => {
    const src = `^services/${service}/src/`;
    const rooms = `(${order.join('|')})/`;
    const outside = adapters.map(name => (order.includes(name) ? `${name}/${NAMELESS}` : name)).join('|');
    return layers.split('|').map(layer => {
      if (layer === 'adapters') return `${src}(${outside})\\.ts$`;
      if (layer === 'actions') return `${src}(?!(${outside})\\.ts$)${rooms}${NAMELESS}\\.ts$`;
      return layer in NAMED ? `${src}${rooms}(${NAMED[layer]})\\.ts$` : [];
    });
  });
  return files.flat();
}

const roomRules = Object.entries(ROOMS).flatMap(([service, { order, exceptions }]) =>
  order.slice(0, -1).map((room, index) => ({
    name: `${service}-${room}-knows-its-place`,
    comment: `services/${service}/src/${room} knows only the rooms before it.`,
    from: {
      path: `^services/${service}/src/${room}/`,
      pathNot: [TESTS, ...Object.keys(exceptions).map(file => `^services/${service}/src/${file}$`)],
    },
    to: { path: `^services/${service}/src/(${order.slice(index + 1).join('|')})/` },
  })),
);

/**
 * @param layers walled off from others
 * @param others layers that these must not import
 * @param types also forbids imports of types
 */
function wall(name, comment, layers, others, types) {
  return {
    name,
    comment,
    from: { path: filesOf(layers), pathNot: TESTS },
    to: { path: filesOf(others), ...(types ? {} : { dependencyTypesNot: ['type-only'] }) },
  };
}

const walls = [
  wall('consumers-only-act', 'A consumer calls actions.', 'consumers', 'queries|adapters', true),
  wall(
    'adapters-behind-actions',
    'A write is route or worker, then action, then adapter; a read needs none.',
    'routes|workers',
    'adapters',
    true,
  ),
  wall('queries-decide-nothing', 'Queries are SQL; of rules they know types.', 'queries', 'rules', false),
  wall(
    'queries-below-actions',
    'Parameters in, rows out.',
    'queries',
    'actions|adapters|routes|workers|consumers',
    true,
  ),
  {
    name: 'queries-answer-nobody',
    comment: 'A query returns null or false; the action or route turns that into an error of the API.',
    from: { path: filesOf('queries'), pathNot: TESTS },
    to: {
      path: '^packages/shared/src/contracts/(index|errors)\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  wall(
    'rules-know-no-rows',
    'Rules know neither the store nor the outside, not even their types; rows have theirs in records.',
    'rules',
    'queries|adapters|actions|routes|workers|consumers',
    true,
  ),
  wall('records-are-pure', 'A record is made of a row.', 'records', 'queries|actions|adapters', true),
  wall('adapters-face-outwards', 'An adapter knows the outside only.', 'adapters', 'queries|actions', true),
];

export default {
  forbidden: [
    ...floorRules,
    ...roomRules,
    ...walls,
    {
      name: 'site-and-edge-stay-apart',
      comment: 'What serves pages and what guards the API share the identity alone.',
      from: { path: '^services/gateway/src/site/', pathNot: TESTS },
      to: { path: '^services/gateway/src/edge/' },
    },
    {
      name: 'floors-have-faces',
      comment: 'Another floor is imported by its index.ts; contracts and the two buses by module.',
      from: { path: '^packages/shared/src/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^packages/shared/src/[^/]+/',
        pathNot:
          '^packages/shared/src/($1/|[^/]+/index\\.ts$|contracts/|bus/(kafka/bus|kafka/settings|postgres-log/bus)\\.ts$)',
      },
    },
    {
      name: 'product-without-test-code',
      comment: 'What runs in production imports no tests, no benches, no tools.',
      from: { path: '^(packages|services|ops|deploy)/', pathNot: `^packages/testing/|/eval/|${TESTS}` },
      to: { path: '^(packages/testing|tests|bench|tools)/' },
    },
    {
      name: 'kit-knows-no-scenario',
      comment: 'The kit is what scenarios, test suites and benches are made of.',
      from: { path: '^tests/lab/kit/' },
      to: { path: '^tests/lab/scenarios/' },
    },
    {
      name: 'scenarios-stay-apart',
      comment: 'What two scenarios need is in the kit.',
      from: { path: '^tests/lab/scenarios/([^/]+)' },
      to: { path: '^tests/lab/scenarios/', pathNot: '^tests/lab/scenarios/$1(/|$)' },
    },
    {
      name: 'lab-knows-no-suite',
      comment: 'Test suites use the kit, never the other way round.',
      from: { path: '^tests/lab/' },
      to: { path: '^tests/', pathNot: '^tests/lab/' },
    },
    {
      name: 'tests-know-no-bench',
      comment: 'Tests judge what is right, benches how fast; what both need is in the kit.',
      from: { path: '^tests/' },
      to: { path: '^bench/' },
    },
    {
      name: 'bench-knows-the-kit-alone',
      comment: 'A bench starts the product with the kit; suites and scenarios are not its business.',
      from: { path: '^bench/' },
      to: { path: '^tests/', pathNot: '^tests/lab/kit/' },
    },
    {
      name: 'tools-know-no-tests',
      comment: 'Tools serve tests and benches.',
      from: { path: '^tools/' },
      to: { path: '^(tests|bench)/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two modules that import each other are one.',
      from: { path: '^(packages|services|ops|deploy|tests|bench|tools)/' },
      to: { circular: true },
    },
    {
      name: 'services-stay-apart',
      // `test/with-<service>.int.test.ts` starts the real neighbour beside the service
      // under test, and is named so.
      comment: 'A service knows the others by HTTP and by events only.',
      from: { path: '^services/([^/]+)/', pathNot: '/test/with-[a-z]+\\.int\\.test\\.ts$' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'services-have-faces',
      comment:
        'What runs the services uses service.ts and settings.ts, an operator ops.ts, what documents them metrics.ts and documents.ts, whoever tests them test/.',
      from: { path: '^(ops|deploy|tests|bench|tools)/' },
      to: {
        path: '^services/[^/]+/src/',
        pathNot: '^services/[^/]+/src/(service|ops|settings|metrics|documents)\\.ts$',
      },
    },
    {
      name: 'services-know-no-machine',
      comment: 'The embedded Postgres and the operator commands work on services; no service needs them.',
      from: { path: '^(services|packages)/', pathNot: `^packages/(embedded|testing)/|${TESTS}` },
      to: { path: '^(packages/embedded|ops)/' },
    },
    {
      name: 'operators-need-no-start',
      comment: 'A command works on a product that something else started.',
      from: { path: '^ops/' },
      to: { path: '^(deploy|packages/simulators)/' },
    },
    {
      name: 'rules-use-pure-code-only',
      comment: 'Rules are decisions: other rules, shared contracts, errors, types and pure libraries.',
      from: { path: PURE, pathNot: TESTS },
      to: {
        path: '^(services|packages|ops|deploy|tools)/',
        pathNot: '/rules/|\\.rules\\.ts$|^packages/deck/|^packages/shared/src/(contracts|events)/|\\.json$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'rules-do-no-io',
      comment: 'Rules read no file, no network, no clock: those come in as arguments.',
      from: { path: PURE, pathNot: TESTS },
      to: {
        path: [
          `^node_modules/(${IMPURE.join('|')})/`,
          '^(node:)?(fs|net|http|https|dns|child_process|worker_threads|timers|process|os)(/|$)',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pg-behind-shared',
      comment:
        'Connections are made in packages/shared, and by the embedded Postgres to itself; elsewhere pg is a type.',
      from: { path: '^(services|packages|ops|deploy)/', pathNot: `^packages/(shared|embedded)/|${TESTS}` },
      to: { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kafkajs-in-the-adapter',
      comment:
        'kafkajs is no longer maintained: only the adapter knows it, and the proof that watches the brokers.',
      from: { pathNot: '^packages/shared/src/bus/kafka/' },
      to: { path: '^node_modules/kafkajs/' },
    },
    {
      name: 'e2e-is-a-client',
      comment: 'End-to-end tests see what a user sees: HTTP, webhooks, the simulators.',
      from: { path: '^tests/e2e/' },
      to: { path: '^services/' },
    },
    {
      name: 'cli-is-a-client',
      comment: 'The command line is a client like any other: the SDK, and nothing of the product.',
      from: { path: '^packages/cli/src/', pathNot: TESTS },
      to: { path: '^(services|ops|deploy|packages/(?!cli/|sdk/))' },
    },
    {
      name: 'drawing-knows-no-writer',
      comment: 'A deck is written first and drawn afterwards; both packages know only what a deck is.',
      from: { path: '^packages/slides/' },
      to: { path: '^packages/(writer|shared|simulators)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'writing-draws-nothing',
      comment: 'The writer answers texts. Its evaluation draws them, and is not part of the product.',
      from: { path: '^packages/writer/src/', pathNot: TESTS },
      to: { path: '^packages/(slides/|writer/eval/)' },
    },
    {
      name: 'shared-knows-no-service',
      comment: 'packages/ holds mechanics and contracts that services build on, never the other way round.',
      from: { path: '^packages/' },
      to: { path: '^(services|ops|deploy)/' },
    },
  ].map(rule => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no compiler API: without swc no module would be found and the check would stay green.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(\\.data|\\.cache|dist|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
