import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { useMe } from '../me.ts';
import { read } from '../queries.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { One } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Checkbox } from '../ui/Field.tsx';
import { Loading } from '../ui/Progress.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { useAction } from '../ui/useAction.ts';

/** What `GET /auth/authorizations` answers. */
type Asked = {
  client: { name: string; host: string | null };
  returnsTo: string;
  workspace: { id: string; name: string };
  scopes: string[];
  optionalScopes: string[];
  refusal: { reason: string; redirectTo: string } | null;
};

const words = manageTexts.authorize;
const route = getRouteApi('/in/authorize');

/** Where an OAuth client sends a person: it asks for a part of what the person may do, in this workspace. */
export function Authorize() {
  const request = route.useSearch();
  const me = useMe();
  // Read again for another workspace: what can be granted depends on the role there.
  const query = useQuery({
    ...read<Asked>(['authorization', request], '/auth/authorizations', request),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [added, setAdded] = useState<readonly string[]>([]);
  const decide = useAction(
    (decision: 'allow' | 'deny') =>
      api.post<One<{ redirectTo: string }>>('/auth/authorizations', {
        request,
        workspaceId: query.data?.workspace.id,
        decision,
        scopes: decision === 'allow' ? [...(query.data?.scopes ?? []), ...added] : [],
      }),
    { changes: ['keys'], onDone: ({ data }) => location.assign(data.redirectTo) },
  );
  if (query.isPending) return <Loading />;
  if (query.isError) {
    return (
      <Screen name={words.title}>
        <ErrorBox error={query.error} title={words.refused} onRetry={() => void query.refetch()} />
      </Screen>
    );
  }
  const { client, returnsTo, workspace, scopes, optionalScopes, refusal } = query.data;
  if (refusal) {
    return (
      <Screen name={words.title}>
        <ErrorBox error={refusal.reason} title={words.refused} />
        <p>
          <a href={refusal.redirectTo}>{words.back(returnsTo)}</a>
        </p>
      </Screen>
    );
  }
  const toggle = (scope: string) =>
    setAdded(added.includes(scope) ? added.filter(other => other !== scope) : [...added, scope]);
  return (
    <Screen name={words.title} lead={words.lead(client.name, workspace.name)}>
      <Card title={words.who}>
        <p>{client.host === null ? words.unproven(client.name) : words.proven(client.name, client.host)}</p>
        <p>{words.returnsTo(returnsTo)}</p>
      </Card>
      <Card title={words.may}>
        <ul className="grid gap-1 sm:grid-cols-2">
          {scopes.map(scope => (
            <li key={scope}>{manageTexts.keys.scopeNames[scope] ?? scope}</li>
          ))}
        </ul>
        {optionalScopes.map(scope => (
          <Checkbox
            key={scope}
            name={scope}
            value={scope}
            label={words.optional[scope] ?? scope}
            hint={words.optionalHint}
            checked={added.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
        <p className="text-soft">{words.never}</p>
      </Card>
      {decide.error && <ErrorBox error={decide.error} />}
      {!me.canEdit && <p className="text-soft">{texts.common.roleLacks(me.role, words.viewer)}</p>}
      <div className="flex flex-wrap gap-3">
        <Button
          tone="primary"
          size="large"
          disabled={!me.canEdit}
          busy={decide.isPending || decide.isSuccess}
          onClick={() => decide.mutate('allow')}
        >
          {words.allow}
        </Button>
        <Button size="large" busy={decide.isPending} onClick={() => decide.mutate('deny')}>
          {words.deny}
        </Button>
      </div>
      <p className="text-sm text-soft">{words.revoke}</p>
    </Screen>
  );
}
