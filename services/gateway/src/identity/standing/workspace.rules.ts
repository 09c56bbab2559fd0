/** A workspace and its account are one thing under two ids, which differ in their prefix. */
export function toWorkspaceId(accountId: string): string {
  return accountId.replace(/^acct_/, 'workspace_');
}

/** The account of a workspace id given by a caller; no account has the id if the text is malformed. */
export function toAccountId(workspaceId: string): string {
  return workspaceId.startsWith('workspace_') ? workspaceId.replace('workspace_', 'acct_') : '';
}

/** Leads to a page of the console in the workspace, whichever one the session of its reader is in. */
export function consoleIn(publicUrl: string, accountId: string): string {
  return `${publicUrl}/console/in/${toWorkspaceId(accountId)}`;
}

/** Why a workspace that is frozen cannot be changed. */
export function frozenText(deletesAtMs: number): string {
  const at = new Date(deletesAtMs).toISOString();
  return `This workspace is deleted at ${at} and cannot be changed. An owner can restore it until then.`;
}
