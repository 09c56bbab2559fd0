import { redirect } from '@tanstack/react-router';
import { api } from './api.ts';
import { sendNow } from './decisions.ts';
import { queryClient, workspacesQuery } from './queries.ts';
import { showProblem } from './ui/Toast.tsx';

/** @param path of the page to open there, with its query. @returns true once it is entered, while the new page loads */
export async function enterWorkspace(id: string, path = 'approve'): Promise<boolean> {
  if (!(await sendNow())) return false;
  try {
    await api.post(`/auth/workspaces/${id}/enter`);
    // A new page keeps nothing of the other workspace in memory.
    location.replace(`/console/${path}`);
    return true;
  } catch (error) {
    showProblem(error);
    return false;
  }
}

/** Follows a link whose reader may be in another workspace. @param search the query of the page, with its `?` */
export async function followInto(
  { workspaceId, _splat = '' }: { workspaceId: string; _splat?: string | undefined },
  search: string,
) {
  const path = _splat + search;
  const workspaces = await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 });
  const isIn = workspaces.some(({ id, current }) => current && id === workspaceId);
  if (!isIn && (await enterWorkspace(workspaceId, path))) return;
  throw redirect({ href: isIn ? `/console/${path}` : '/console/approve', replace: true });
}
