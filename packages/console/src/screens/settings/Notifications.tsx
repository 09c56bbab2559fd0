import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { type Notifications as Chosen, notificationsQuery } from '../../manage/queries.ts';
import { useMe } from '../../me.ts';
import { queryClient } from '../../queries.ts';
import { manageTexts } from '../../texts/manage.ts';
import { texts } from '../../texts/shell.ts';
import type { One } from '../../types.ts';
import { Checkbox, Group, Radio } from '../../ui/Field.tsx';
import { FormActions } from '../../ui/FormActions.tsx';
import { Card } from '../../ui/Screen.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = manageTexts.notifications;
type Choice = Chosen['decksWaiting'];

/**
 * What the person is mailed about. It is a choice of each member for each workspace.
 * @param zone of the workspace
 */
export function Notifications({ zone }: { zone: string }) {
  const query = useQuery(notificationsQuery);
  return (
    <Card title={words.title}>
      <Shown query={query}>
        {chosen => (
          <Form
            key={`${chosen.decksWaiting} ${chosen.weekly} ${chosen.postDue}`}
            chosen={chosen}
            zone={zone}
          />
        )}
      </Shown>
    </Card>
  );
}

function Form({ chosen, zone }: { chosen: Chosen; zone: string }) {
  const { canApprove, role } = useMe();
  const [choice, setChoice] = useState<Choice>(chosen.decksWaiting);
  const [weekly, setWeekly] = useState(chosen.weekly);
  const [postDue, setPostDue] = useState(chosen.postDue);
  const change = useAction(
    (body: Pick<Chosen, 'decksWaiting' | 'weekly' | 'postDue'>) =>
      api.patch<One<Chosen>>('/workspace/notifications', body),
    {
      onDone: ({ data }) => {
        queryClient.setQueryData(notificationsQuery.queryKey, data);
        showToast({ text: words.changed });
      },
    },
  );
  const submit = () => change.mutate({ decksWaiting: choice, weekly, postDue });
  const { email, emailVerified, mailConfigured } = chosen;
  const isUnproven = mailConfigured && email !== null && !emailVerified;
  const hints: Partial<Record<Choice, string>> = {
    instant: words.choices.instant[1],
    daily: words.dailyAt(zone),
  };
  return (
    <ScriptForm onSubmit={submit}>
      <Group legend={words.lead}>
        {(['off', 'instant', 'daily'] as const).map(name => (
          <Radio
            key={name}
            name="decks-waiting"
            label={words.choices[name][0]}
            hint={hints[name]}
            disabled={!canApprove}
            checked={choice === name}
            onChange={() => setChoice(name)}
          />
        ))}
      </Group>
      {canApprove && (
        <Checkbox label={words.postDue} checked={postDue} onChange={() => setPostDue(!postDue)} />
      )}
      {role === 'owner' && (
        <Checkbox label={words.weekly} checked={weekly} onChange={() => setWeekly(!weekly)} />
      )}
      <p className="text-sm text-soft">{email === null ? words.noAddress : words.goTo(email)}</p>
      {!mailConfigured && <p className="rounded-control bg-warn-wash p-3 text-warn-ink">{words.noMail}</p>}
      {isUnproven && (
        <p className="rounded-control bg-warn-wash p-3 text-warn-ink">
          {chosen.decksWaiting === 'off' ? words.unconfirmed : words.unproven}
        </p>
      )}
      {canApprove ? (
        <FormActions
          action={change}
          disabled={choice === chosen.decksWaiting && weekly === chosen.weekly && postDue === chosen.postDue}
        />
      ) : (
        <p className="text-sm text-soft">{texts.common.roleLacks(role, words.whoDecides)}</p>
      )}
    </ScriptForm>
  );
}
