import type { CreateKey, Member } from './types.js';
/**
 * What each role may do in a workspace. A key has at most the scopes of its creator's role;
 * viewers create none.
 */
export declare const scopesByRole: Readonly<Record<Member['role'], Readonly<CreateKey['scopes']>>>;
