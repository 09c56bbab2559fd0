/**
 * One line of the history of a posting run. A schedule is identified by its title, which the platform keeps
 * with the post.
 */
export type PostingLine =
  | { kind: 'asked'; title: string; account: string; scheduledFor: string }
  | { kind: 'told'; title: string; id: string }
  | { kind: 'refused'; title: string; status: number; text: string }
  | { kind: 'fault'; what: string; pid?: number }
  | { kind: 'healed' }
  | { kind: 'settled'; afterMs: number; open: number };
