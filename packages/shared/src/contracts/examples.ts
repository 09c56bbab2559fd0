/**
 * Values shared by the contracts' examples, which follow one journey: an id of one operation appears in
 * others.
 */

export const exampleIds = {
  user: 'user_01k9ztq0c4s8b6n2m5x7h1v3wd',
  session: 'session_01k9ztq0d2w5t8r1y4p7k3j6gf',
  workspace: 'workspace_01k9ztq0c4s8b6n2m5x7h1v3wd',
  invitation: 'invitation_01k9ztq0f6n3v8b2m5x7c1z4qw',
  audit: 'audit_01k9ztq0g1t4r7e2w5q8p3s6dk',
  export: 'export_01k9ztq0h5b8d1f4g7h0j3k6zx',
  key: 'key_01k9ztq1a9e3c6v8n2b5m7x4zq',
  app: 'product_01k9ztq2f7h4j1k8s3d6g9w5rt',
  picture: 'picture_01k9ztq2m8p3r6t9w2y5b8d1fh',
  content: 'content_01k9ztq3m2n5b8v1c4x7z0q9wp',
  comment: 'comment_01k9ztq3t5w8z1b4d7f0h3k6np',
  review: 'review_01k9ztq3w8z1c4e7g0j3m6p9rt',
  account: 'account_01k9ztq4y6t3r9e2w5q8p1s7dk',
  schedule: 'schedule_01k9ztq5g8h2j5k1s4d7f0v3bn',
  automation: 'automation_01k9ztq6x1c4v7b0n3m6q9w2er',
  firing: 'firing_01k9ztq7p5s8d1f4g7h0j3k6zx',
  webhook: 'webhook_01k9ztq8t2y5r8e1w4q7p0m3nb',
  delivery: 'delivery_01k9ztq9d6f9g2h5j8k1s4z7xc',
  event: 'event_01k9ztqav3b6n9m2x5c8q1w4er',
  credit: 'credit_01k9ztqbh7j0k3s6d9f2g5t8yr',
  post: 'post_01k9ztqcw1q4e7r0t3y6p9m2nb',
  source: 'source_01k9ztqdz5x8c1v4b7n0h3j6ks',
  experiment: 'experiment_01k9ztqe36y9d2w5c8k1g4n7rv',
  request: 'req_01k9ztq4v8m3x7h2c5r6w1n0bd',
};

export const exampleTime = '2026-11-21T09:00:00.000Z';
export const laterTime = '2026-11-21T09:00:04.120Z';
export const newRecord = { createdAt: exampleTime, updatedAt: exampleTime };

/** The key of the examples, as the maker of other records. */
export const exampleMaker = { kind: 'key' as const, id: exampleIds.key, name: 'Posting script' };

export function deletedExample(id: string) {
  return { data: { id, deleted: true as const } };
}

export function listExample<T>(item: T) {
  return { data: [item], nextCursor: null };
}
