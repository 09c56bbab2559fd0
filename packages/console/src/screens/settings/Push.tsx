import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { type Notifications, notificationsQuery } from '../../manage/queries.ts';
import { useMe } from '../../me.ts';
import { canSubscribe, subscribe, unsubscribe } from '../../push.ts';
import { queryClient } from '../../queries.ts';
import { manageTexts } from '../../texts/manage.ts';
import type { One } from '../../types.ts';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Checkbox, Group } from '../../ui/Field.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = manageTexts.push;
type Chosen = Notifications['push'];
const kinds = ['decks_waiting', 'link_decided', 'post_due', 'post_failed', 'account_reconnect'] as const;

/** What this browser tells the person, and of which kinds every browser does. */
export function Push() {
  const { canApprove } = useMe();
  const query = useQuery(notificationsQuery);
  if (!canApprove) return null;
  return (
    <Card title={words.title}>
      <Shown query={query}>{({ push }) => <Switches push={push} />}</Shown>
    </Card>
  );
}

function Switches({ push }: { push: Chosen }) {
  const store = (changed: Chosen) =>
    queryClient.setQueryData(notificationsQuery.queryKey, before => before && { ...before, push: changed });
  const toggle = useAction((isOn: boolean) => (isOn ? subscribe(push.publicKey) : unsubscribe()), {
    onDone: changed => changed && store(changed),
  });
  const choose = useAction(
    (pushKinds: Chosen['kinds']) => api.patch<One<Notifications>>('/workspace/notifications', { pushKinds }),
    { onDone: ({ data }) => store(data.push) },
  );
  const chosen = choose.isPending ? choose.variables : push.kinds;
  const isRefused = toggle.data === null || (canSubscribe() && Notification.permission === 'denied');
  const hint = canSubscribe() ? isRefused && words.refused : words.unable;
  const error = toggle.error ?? choose.error;
  return (
    <div className="grid gap-4">
      <Checkbox
        label={words.here}
        hint={hint || undefined}
        disabled={!canSubscribe() || toggle.isPending}
        checked={toggle.isPending ? toggle.variables : push.subscribed}
        onCheck={isOn => toggle.mutate(isOn)}
      />
      <Group legend={words.lead}>
        {kinds.map(kind => (
          <Checkbox
            key={kind}
            label={words.kinds[kind]}
            disabled={choose.isPending}
            checked={chosen.includes(kind)}
            onCheck={isOn => choose.mutate(kinds.filter(one => (one === kind ? isOn : chosen.includes(one))))}
          />
        ))}
      </Group>
      {error && <ErrorBox error={error} />}
    </div>
  );
}
