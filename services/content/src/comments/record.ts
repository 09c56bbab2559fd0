import type { Comment } from '@hookline/shared/contracts/comments';

export type CommentRow = Omit<Comment, 'createdAt' | 'updatedAt'> & { createdAt: Date };

/** A comment is never changed. */
export function toComment({ createdAt, ...row }: CommentRow): Comment {
  const at = createdAt.toISOString();
  return { ...row, createdAt: at, updatedAt: at };
}
