import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../api.ts';
import { type Session, sessionList } from '../manage/queries.ts';
import { zoneOptions } from '../manage/zones.ts';
import { useMe } from '../me.ts';
import { queryClient, workspaceQuery } from '../queries.ts';
import { changedIn } from '../rules/changed.ts';
import { clientName } from '../rules/client-name.ts';
import { fieldErrors } from '../rules/field-error.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { One, Workspace } from '../types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Checkbox, Field, Group, Radio, Select } from '../ui/Field.tsx';
import { FormActions } from '../ui/FormActions.tsx';
import { Icon } from '../ui/Icon.tsx';
import { List } from '../ui/List.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { Shown } from '../ui/Shown.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { Export } from './settings/Export.tsx';
import { Leaving } from './settings/Leaving.tsx';
import { Notifications } from './settings/Notifications.tsx';
import { Passkeys } from './settings/Passkeys.tsx';
import { Push } from './settings/Push.tsx';
import { sections } from './settings/sections.ts';
import { TextModel } from './settings/TextModel.tsx';

const words = manageTexts.settings;

/** On a phone each section is a page of its own. */
function useShown(): string {
  return useRouterState({ select: ({ location }) => location.hash });
}

/** Returns the id of the section at the top of the window, which the index marks. */
function useSectionInView(): string {
  const [inView, setInView] = useState('workspace');
  useEffect(() => {
    const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? innerHeight;
    const look = () => setInView(Object.keys(sections).findLast(id => topOf(id) < 100) ?? 'workspace');
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return inView;
}

export function Settings() {
  const workspace = useQuery(workspaceQuery);
  const shown = useShown();
  const inView = useSectionInView();
  const isList = !(shown in sections);
  return (
    <Screen name={texts.screens.settings} isWide>
      {!isList && (
        <Link to="/settings" className="flex min-h-11 items-center gap-2 font-semibold lg:hidden">
          <Icon name="back" />
          {words.all}
        </Link>
      )}
      <div className="grid gap-x-8 lg:grid-cols-[14rem_minmax(0,1fr)] lg:items-start">
        <nav aria-label={words.sections} className={`lg:sticky lg:top-8 ${isList ? '' : 'max-lg:hidden'}`}>
          <ul className="max-lg:overflow-hidden max-lg:rounded-card max-lg:border max-lg:border-line max-lg:bg-sheet">
            {Object.entries(sections).map(([id, title]) => (
              <li key={id} className="border-line max-lg:not-last:border-b">
                <a
                  href={`#${id}`}
                  aria-current={inView === id ? 'true' : undefined}
                  className="flex min-h-12 items-center justify-between px-4 font-semibold hover:bg-well lg:rounded-control lg:aria-[current]:bg-well lg:px-3 lg:text-sm"
                >
                  {title}
                  <Icon name="forward" className="lg:hidden" />
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {/* Room below, so that the last section too can come to the top. */}
        <div className="grid gap-5 lg:pb-[60dvh]">
          <Shown query={workspace}>
            {found => (
              <>
                <Section id="workspace">
                  <WorkspaceForm workspace={found} />
                </Section>
                <Section id="policy">
                  <Policy workspace={found} />
                </Section>
                <Section id="model">
                  <TextModel />
                </Section>
                <Section id="mails">
                  <Notifications zone={found.timezone} />
                </Section>
                <Section id="push">
                  <Push />
                </Section>
              </>
            )}
          </Shown>
          <Section id="password">
            <Password />
          </Section>
          <Section id="passkeys">
            <Passkeys />
          </Section>
          <Section id="sessions">
            <Sessions />
          </Section>
          {workspace.data && (
            <>
              <Section id="export">
                <Export workspaceId={workspace.data.id} />
              </Section>
              <Section id="leaving">
                <Leaving workspace={workspace.data} />
              </Section>
            </>
          )}
        </div>
      </div>
    </Screen>
  );
}

function Section({ id, children }: { id: keyof typeof sections; children: ReactNode }) {
  return (
    <div id={id} className={`scroll-mt-4 ${useShown() === id ? '' : 'max-lg:hidden'}`}>
      {children}
    </div>
  );
}

function useChange(onDone = () => {}) {
  return useAction((body: object) => api.patch<One<Workspace>>('/workspace', body), {
    changes: ['workspace', 'workspaces'],
    onDone: ({ data }) => {
      queryClient.setQueryData(workspaceQuery.queryKey, data);
      onDone();
      showToast({ text: words.saved });
    },
  });
}

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const { isOwner } = useMe();
  // Only changed fields are kept here: another owner's change resets no input, and saving does not overwrite it.
  const [draft, setDraft] = useState<Partial<Pick<Workspace, 'name' | 'timezone'>>>({});
  const { name, timezone } = { ...workspace, ...draft };
  const change = useChange(() => setDraft({}));
  const changed = changedIn(workspace, { ...workspace, timezone, name: name.trim() });
  return (
    <Card title={words.workspace}>
      <ScriptForm onSubmit={() => change.mutate(changed)}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={words.name}
            required
            maxLength={200}
            disabled={!isOwner}
            value={name}
            onValue={value => setDraft({ ...draft, name: value })}
          />
          <Select
            label={words.zone}
            disabled={!isOwner}
            value={timezone}
            onValue={value => setDraft({ ...draft, timezone: value })}
            options={zoneOptions(timezone)}
          />
        </div>
        {isOwner ? (
          <FormActions action={change} disabled={Object.keys(changed).length === 0} />
        ) : (
          <p className="text-sm text-soft">{words.ownerOnly}</p>
        )}
      </ScriptForm>
    </Card>
  );
}

type Policy = Workspace['approvalPolicy'];
type Preset = 'open' | 'strict' | 'custom';

const presets: Readonly<Record<'open' | 'strict', Policy>> = {
  open: { approvers: 'anyone_with_scope', requireVersion: false, postTexts: 'open', selfApproval: true },
  strict: { approvers: 'people_only', requireVersion: true, postTexts: 'approved_only', selfApproval: false },
};

function presetOf(policy: Policy): Preset {
  return (['open', 'strict'] as const).find(name => areSame(presets[name], policy)) ?? 'custom';
}

function areSame(one: Policy, other: Policy): boolean {
  return Object.entries(one).every(([field, value]) => other[field as keyof Policy] === value);
}

function Policy({ workspace }: { workspace: Workspace }) {
  const { isOwner } = useMe();
  // Only changed fields are kept here, as in `WorkspaceForm`.
  const [draft, setDraft] = useState<Partial<Policy>>({});
  const [chosen, setChosen] = useState<Preset | null>(null);
  const policy = { ...workspace.approvalPolicy, ...draft };
  const preset = chosen ?? presetOf(workspace.approvalPolicy);
  const change = useChange(() => {
    setDraft({});
    setChosen(null);
  });
  const submit = () => change.mutate({ approvalPolicy: preset === 'custom' ? draft : { preset } });
  const flags: readonly (readonly [string, boolean, (on: boolean) => Partial<Policy>])[] = [
    [
      words.peopleOnly,
      policy.approvers === 'people_only',
      on => ({ approvers: on ? 'people_only' : 'anyone_with_scope' }),
    ],
    [words.requireVersion, policy.requireVersion, requireVersion => ({ requireVersion })],
    [
      words.approvedTexts,
      policy.postTexts === 'approved_only',
      on => ({ postTexts: on ? 'approved_only' : 'open' }),
    ],
    [words.selfApproval, policy.selfApproval, selfApproval => ({ selfApproval })],
  ];
  return (
    <Card title={words.policy}>
      <ScriptForm onSubmit={submit} className="grid gap-5">
        <Group legend={words.preset}>
          {(['open', 'strict', 'custom'] as const).map(name => (
            <Radio
              key={name}
              name="policy"
              label={words.presets[name][0]}
              hint={words.presets[name][1]}
              disabled={!isOwner}
              checked={preset === name}
              onChange={() => {
                setChosen(name);
                if (name !== 'custom') setDraft(presets[name]);
              }}
            />
          ))}
        </Group>
        {preset === 'custom' && (
          <div className="grid gap-3 border-t border-line pt-4">
            {flags.map(([label, checked, changed]) => (
              <Checkbox
                key={label}
                label={label}
                disabled={!isOwner}
                checked={checked}
                onCheck={isOn => setDraft({ ...draft, ...changed(isOn) })}
              />
            ))}
          </div>
        )}
        {isOwner && <FormActions action={change} disabled={areSame(policy, workspace.approvalPolicy)} />}
      </ScriptForm>
    </Card>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { user } = useMe();
  const change = useAction(
    (body: { current: string; password: string }) => api.post('/auth/password', body),
    {
      changes: ['sessions'],
      onDone: () => {
        setCurrent('');
        setPassword('');
        showToast({ text: words.passwordChanged });
      },
    },
  );
  const errors = fieldErrors(change.error, { current: words.current, password: words.next });
  const submit = () => change.mutate({ current, password });
  return (
    <Card title={words.password}>
      <ScriptForm onSubmit={submit}>
        {/* Password managers file the new password under this name. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={words.current}
            error={errors.current}
            type="password"
            required
            autoComplete="current-password"
            value={current}
            onValue={setCurrent}
          />
          <Field
            label={words.next}
            hint={words.nextHint}
            error={errors.password}
            type="password"
            required
            minLength={10}
            maxLength={200}
            autoComplete="new-password"
            value={password}
            onValue={setPassword}
          />
        </div>
        <FormActions
          action={change}
          error={Object.keys(errors).length === 0 ? change.error : null}
          disabled={current === '' || password === ''}
        />
      </ScriptForm>
    </Card>
  );
}

function Sessions() {
  const list = useInfiniteQuery(sessionList);
  const [ending, setEnding] = useState<Session | null>(null);
  const [isAsking, setAsking] = useState(false);
  const others = useAction(() => api.delete('/auth/sessions') as Promise<One<{ sessionIds: string[] }>>, {
    changes: ['sessions'],
    onDone: ({ data }) => {
      setAsking(false);
      showToast({ text: words.endedOthers(data.sessionIds.length) });
    },
  });
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-lg">{words.sessions}</h2>
        <Button size="small" onClick={() => setAsking(true)}>
          {words.endOthers}
        </Button>
      </div>
      <List
        query={list}
        label={words.sessions}
        empty={null}
        row={session => (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
            <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
              <div className="flex flex-wrap items-center gap-2">
                <p className="font-semibold">{clientName(session.client) ?? words.unknownClient}</p>
                {session.current && <Badge tone="good">{words.thisSession}</Badge>}
              </div>
              <p className="text-sm text-soft">
                {words.since} <TimeInZone at={session.createdAt} />
                {session.lastUsedAt && (
                  <>
                    {' · '}
                    {words.lastUsed} <TimeInZone at={session.lastUsedAt} isRelative />
                  </>
                )}
              </p>
            </div>
            {!session.current && <Button onClick={() => setEnding(session)}>{words.revoke}</Button>}
          </div>
        )}
      />
      {isAsking && (
        <ConfirmDialog
          title={words.endOthersTitle}
          confirm={words.revoke}
          action={others}
          onConfirm={() => others.mutate()}
          onClose={() => {
            others.reset();
            setAsking(false);
          }}
        >
          <p>{words.endOthersBody}</p>
        </ConfirmDialog>
      )}
      {ending && <EndSession session={ending} onClose={() => setEnding(null)} />}
    </section>
  );
}

function EndSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const end = useAction(() => api.delete(`/auth/sessions/${session.id}`), {
    changes: ['sessions'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={words.endTitle}
      confirm={words.revoke}
      action={end}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>{words.endBody(clientName(session.client) ?? words.unknownClient)}</p>
    </ConfirmDialog>
  );
}
