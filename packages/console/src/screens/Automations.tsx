import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { AutomationForm } from '../manage/AutomationForm.tsx';
import { planText } from '../manage/plan.ts';
import {
  type Automation,
  automationList,
  type Firing,
  firingList,
  slotsQuery,
  templatesQuery,
} from '../manage/queries.ts';
import { useMe } from '../me.ts';
import { accountsQuery, appsQuery, nextFiringsQuery, rowsOf, workspaceQuery } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ToDeck } from '../ui/DeckLink.tsx';
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { List } from '../ui/List.tsx';
import { Menu } from '../ui/Menu.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { inZone, TimeInZone, ZoneNote } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';

const words = manageTexts.automations;
const tones: Readonly<Record<Firing['status'], BadgeTone>> = {
  fired: 'quiet',
  generated: 'quiet',
  awaiting_approval: 'wait',
  scheduled: 'good',
  done: 'good',
  failed: 'bad',
  skipped: 'warn',
};

/** What a firing comes to is news of its deck and its post, not of the automation. */
const logEveryMs = 4_000;

export function Automations() {
  const { canPublish, role } = useMe();
  const list = useInfiniteQuery(automationList);
  const appsRead = useQuery(appsQuery);
  const accountsRead = useQuery(accountsQuery);
  const workspaceRead = useQuery(workspaceQuery);
  const apps = appsRead.data;
  const accounts = accountsRead.data;
  // A plan in the zone of the device would fire at other hours than those that are meant.
  const zone = workspaceRead.data?.timezone;
  const [edited, setEdited] = useState<{ automation: Automation | null; zone: string } | null>(null);
  const lacks = apps?.length === 0 || accounts?.length === 0;
  const nameOf = ({ appId, tiktokAccountId }: Automation) => {
    const app = apps?.find(({ id }) => id === appId)?.name ?? texts.screens.apps;
    const account = accounts?.find(({ id }) => id === tiktokAccountId);
    return account ? `${app} → ${shortName(account)}` : app;
  };
  const nextRead = useQuery(nextFiringsQuery);
  const next = nextRead.data ?? [];
  const rows = rowsOf(list);
  return (
    <Screen
      name={texts.screens.automations}
      lead={words.lead}
      actions={
        canPublish && (
          <Button
            tone="primary"
            disabled={lacks || !apps || !accounts || !zone}
            onClick={() => zone && setEdited({ automation: null, zone })}
          >
            {words.new}
          </Button>
        )
      }
    >
      {!canPublish && <p className="text-soft">{texts.common.roleLacks(role, words.changeThem)}</p>}
      <ReadError queries={[appsRead, accountsRead, workspaceRead, nextRead]} />
      {next.length > 0 && (
        <Card title={words.nextTitle}>
          <ol className="grid gap-1.5">
            {next.slice(0, 6).map(({ automationId, fireAt }) => {
              const automation = rows.find(({ id }) => id === automationId);
              return (
                <li key={`${automationId} ${fireAt}`} className="flex flex-wrap gap-x-3">
                  <span className="font-semibold">
                    <TimeInZone at={fireAt} />
                  </span>
                  <span className="text-soft">{automation && nameOf(automation)}</span>
                </li>
              );
            })}
          </ol>
          <ZoneNote />
        </Card>
      )}
      <List
        query={list}
        label={words.list}
        empty={
          <EmptyState icon="automations" title={words.empty}>
            <ol className="grid list-decimal gap-2 ps-5 text-start">
              {words.emptySteps.map(step => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            {lacks && <p>{words.needs}</p>}
            {lacks && (
              <p>
                <Link to={apps?.length === 0 ? '/apps' : '/accounts'} className="underline">
                  {apps?.length === 0 ? texts.screens.apps : texts.screens.accounts}
                </Link>
              </p>
            )}
          </EmptyState>
        }
        row={automation => (
          <Row
            automation={automation}
            name={nameOf(automation)}
            onChange={() => setEdited({ automation, zone: automation.timezone })}
          />
        )}
      />
      {edited !== null && (
        <AutomationForm
          {...edited}
          apps={apps ?? []}
          accounts={accounts ?? []}
          onClose={() => setEdited(null)}
        />
      )}
    </Screen>
  );
}

type RowProps = { automation: Automation; name: string; onChange: () => void };

function Row({ automation, name, onChange }: RowProps) {
  const { canApprove, canPublish } = useMe();
  const path = `/automations/${automation.id}`;
  const isActive = automation.status === 'active';
  const template = useQuery(templatesQuery).data?.find(({ id }) => id === automation.brief?.templateId)?.name;
  const account = useQuery(accountsQuery).data?.find(({ id }) => id === automation.tiktokAccountId);
  const posting = account?.kind === 'phone' ? 'phone' : automation.postingMode;
  const [asks, setAsks] = useState<'log' | 'delete' | 'confirm' | null>(null);
  const toggle = useAction(() => api.patch(path, { status: isActive ? 'paused' : 'active' }), {
    changes: ['automations'],
  });
  const run = useAction((_: undefined, key) => api.post(`${path}/run`, undefined, { key }), {
    changes: ['automations'],
    onDone: () => showToast({ text: words.ran }),
  });
  const remove = useAction(() => api.delete(path), {
    changes: ['automations'],
    onDone: () => setAsks(null),
  });
  const confirm = useAction((updatedAt: string, key) => api.post(`${path}/confirm`, { updatedAt }, { key }), {
    changes: ['automations'],
    onDone: () => setAsks(null),
  });
  const failed = toggle.error ?? run.error;
  return (
    <article aria-label={name} className="grid gap-3 p-4">
      <div className="grid gap-1">
        <div className="flex items-start gap-2">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
            <h2 className="font-sans text-base font-semibold">{name}</h2>
            <Badge tone={isActive ? 'good' : 'warn'}>{words[automation.status]}</Badge>
            {automation.awaitsConfirmation ? (
              <Badge tone="wait">{words.awaits}</Badge>
            ) : (
              automation.approvalMode === 'auto' && <Badge tone="bad">{words.auto}</Badge>
            )}
          </div>
          <Menu
            of={name}
            items={[
              canPublish && {
                label: words.runNow,
                onPress: () => run.mutate(undefined),
                isDisabled: run.isPending || !isActive,
              },
              canPublish &&
                automation.status !== 'ended' && {
                  label: isActive ? words.pause : words.resume,
                  onPress: () => toggle.mutate(),
                  isDisabled: toggle.isPending,
                },
              canPublish && { label: words.log, onPress: () => setAsks('log') },
              canPublish && { label: manageTexts.manage.delete, onPress: () => setAsks('delete') },
            ]}
          />
        </div>
        <p>{planText(automation.postingTimes)}</p>
        <p className="text-sm text-soft">
          {automation.timezone.replaceAll('_', ' ')} · {words.format[automation.format] ?? automation.format}{' '}
          {template && ` · ${template}`} · {words[posting]}
          {automation.approvalMode === 'manual' && ` · ${words.manual}`}
          {automation.brief?.topic && ` · ${automation.brief.topic}`}
          {automation.topics.length > 0 && ` · ${words.topicCount(automation.topics.length)}`}
        </p>
        <Outlook automation={automation} />
        {automation.awaitsConfirmation && <p className="text-sm">{words.awaitsBody}</p>}
        {automation.confirmedBy && (
          <p className="text-sm text-soft">{words.confirmedBy(automation.confirmedBy.name)}</p>
        )}
        {automation.nextFireAt && (
          <p className="text-sm">
            {words.upcoming} <TimeInZone at={automation.nextFireAt} />
          </p>
        )}
      </div>
      {failed && <ErrorBox error={failed} />}
      <div className="flex flex-wrap gap-2">
        {automation.awaitsConfirmation && canApprove && (
          <Button size="small" tone="primary" onClick={() => setAsks('confirm')}>
            {words.confirm}
          </Button>
        )}
        {canPublish ? (
          <Button size="small" onClick={onChange}>
            {words.change}
          </Button>
        ) : (
          <Button size="small" onClick={() => setAsks('log')}>
            {words.log}
          </Button>
        )}
      </div>
      {asks === 'log' && <Log automation={automation} onClose={() => setAsks(null)} />}
      {asks === 'confirm' && (
        <ConfirmDialog
          title={words.confirmTitle}
          confirm={words.confirm}
          tone="go"
          action={confirm}
          onConfirm={() => confirm.mutate(automation.updatedAt)}
          onClose={() => setAsks(null)}
        >
          <p>{words.confirmBody}</p>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 pt-3 text-ink">
            {Object.entries(whatItWrites(automation)).map(([field, value]) => (
              <div key={field} className="contents">
                <dt className="text-soft">{words.briefFields[field] ?? field}</dt>
                <dd className="min-w-0 break-words whitespace-pre-line">{[value].flat().join('\n')}</dd>
              </div>
            ))}
          </dl>
        </ConfirmDialog>
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle}
          confirm={manageTexts.manage.delete}
          action={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsks(null)}
        >
          <p>{words.deleteBody}</p>
        </ConfirmDialog>
      )}
    </article>
  );
}

function whatItWrites({ brief, topics }: Automation): Record<string, unknown> {
  return { ...brief, ...(topics.length > 0 && { topics }) };
}

/** What it will post, how often, and why it posts nothing. */
function Outlook({ automation }: { automation: Automation }) {
  const { nextTopic, firingsLeft, until, endedReason, nothingNewSince } = automation;
  if (endedReason) return <p className="text-sm">{words.endedReasons[endedReason]}</p>;
  return (
    <>
      {nextTopic && (
        <p className="text-sm">
          {words.nextTopic} <span className="font-medium break-words">{nextTopic}</span>
        </p>
      )}
      {(firingsLeft !== null || until) && (
        <p className="text-sm text-soft">
          {firingsLeft !== null && words.left(firingsLeft)}
          {firingsLeft !== null && until && ' · '}
          {until && (
            <>
              {words.until} <TimeInZone at={until} />
            </>
          )}
        </p>
      )}
      {nothingNewSince && (
        <div className="grid gap-1 rounded-control bg-warn-wash p-3 text-sm text-warn-ink">
          <p className="font-semibold">
            {words.nothingNew} <TimeInZone at={nothingNewSince} />
          </p>
          <p>
            {words.nothingNewBody}{' '}
            <Link to="/apps" className="underline">
              {texts.screens.apps}
            </Link>
            {words.nothingNewModel}{' '}
            <Link to="/settings" hash="model" className="underline">
              {texts.screens.settings}
            </Link>
            .
          </p>
        </div>
      )}
    </>
  );
}

function Log({ automation, onClose }: { automation: Automation; onClose: () => void }) {
  const query = useInfiniteQuery({ ...firingList(automation.id), refetchInterval: logEveryMs });
  const slotsRead = useQuery({ ...slotsQuery(automation.id), enabled: automation.status === 'active' });
  const slots = slotsRead.data ?? [];
  return (
    <Dialog
      title={words.logTitle}
      size="wide"
      onClose={onClose}
      actions={<Button onClick={onClose}>{texts.common.close}</Button>}
    >
      <ReadError queries={[slotsRead]} />
      {slots.length > 0 && (
        <p className="text-sm">
          <span className="font-semibold">{words.upcoming}</span>{' '}
          {slots.map(({ fireAt }, index) => (
            <span key={fireAt}>
              {index > 0 && ' · '}
              <TimeInZone at={fireAt} />
            </span>
          ))}
        </p>
      )}
      <List
        query={query}
        label={words.logTitle}
        empty={<p className="text-soft">{words.logEmpty}</p>}
        row={firing => (
          <div className="grid gap-1 p-3">
            <div className="flex flex-wrap items-center gap-2">
              <TimeInZone at={firing.slot} />
              <Badge tone={tones[firing.status]}>{words.statuses[firing.status]}</Badge>
              {firing.contentId && (
                <ToDeck
                  id={firing.contentId}
                  className="ms-auto inline-flex min-h-11 min-w-11 items-center text-sm underline"
                >
                  {manageTexts.credits.deck}
                </ToDeck>
              )}
            </div>
            {firing.reason && <p className="text-sm text-soft">{inZone(firing.reason)}</p>}
          </div>
        )}
      />
      <ZoneNote />
    </Dialog>
  );
}
