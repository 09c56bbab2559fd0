import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from './api.ts';
import { sendNow } from './decisions.ts';
import { forgetReads } from './kept.ts';
import { sessionQuery, workspacesQuery } from './queries.ts';
import { texts } from './texts/shell.ts';
import { Button } from './ui/Button.tsx';
import { Icon } from './ui/Icon.tsx';
import { closeToasts, showProblem } from './ui/Toast.tsx';

/** The person and the workspace, at the foot of the navigation. */
export function Whoami() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const user = useQuery(sessionQuery).data?.user;
  const workspaces = useQuery(workspacesQuery).data ?? [];
  const current = workspaces.find(workspace => workspace.current);

  const signOut = async () => {
    // A decision is sent by the person who took it, or it is said why not.
    if (!(await sendNow())) return;
    try {
      await (await import('./push.ts')).forget().catch(() => undefined);
      await api.post('/auth/sign-out');
    } catch (error) {
      showProblem(error);
      return;
    }
    forgetReads();
    queries.clear();
    closeToasts();
    await navigate({ to: '/sign-in' });
  };

  return (
    <div className="flex items-center gap-1">
      <div className="grid min-w-0 flex-1 gap-0.5">
        {workspaces.length > 1 ? (
          <label className="grid gap-1 px-2.5 text-xs font-semibold text-soft">
            {texts.nav.workspace}
            <select
              value={current?.id ?? ''}
              onChange={({ target }) =>
                // A screen with something unsaved asks before it is left, and so before anything is entered.
                void navigate({
                  to: '/in/$workspaceId/$',
                  params: { workspaceId: target.value, _splat: 'approve' },
                })
              }
              className="min-h-10 w-full rounded-control border border-edge bg-sheet px-2 text-base font-medium text-ink"
            >
              {workspaces.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <p dir="auto" title={current?.name} className="mx-2.5 line-clamp-2 font-semibold">
            {current?.name}
          </p>
        )}
        <p className="truncate px-2.5 text-sm text-soft">{user?.email}</p>
      </div>
      <Button
        tone="quiet"
        size="small"
        aria-label={texts.nav.signOut}
        title={texts.nav.signOut}
        onClick={() => void signOut()}
        icon={<Icon name="out" />}
      />
    </div>
  );
}
