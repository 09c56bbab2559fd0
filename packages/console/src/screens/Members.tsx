import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import {
  type Invitation,
  type InvitationWithUrl,
  invitationList,
  type Member,
  memberList,
} from '../manage/queries.ts';
import { SecretDialog } from '../manage/Secret.tsx';
import { useMe } from '../me.ts';
import { rowsOf } from '../queries.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import type { One, Role } from '../types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { List } from '../ui/List.tsx';
import { Card, Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { TimeInZone } from '../ui/TimeInZone.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';

const words = manageTexts.members;
const roleNames = Object.keys(texts.common.roles) as Role[];

export function Members() {
  const { isOwner } = useMe();
  const list = useInfiniteQuery(memberList);
  const owners = rowsOf(list).filter(({ role }) => role === 'owner').length;
  // Others may be further down.
  const hasOneOwner = owners === 1 && list.hasNextPage === false;
  return (
    <Screen name={texts.screens.members} lead={words.lead}>
      <List
        query={list}
        label={words.list}
        keyOf={({ userId }) => userId}
        empty={null}
        row={member => <MemberRow member={member} isOnlyOwner={member.role === 'owner' && hasOneOwner} />}
      />
      {isOwner && <Invite />}
      {isOwner && <Invitations />}
    </Screen>
  );
}

function Invite() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('approver');
  const [link, setLink] = useState<string | null>(null);
  const invite = useAction(
    (body: { email: string; role: Role }, key) =>
      api.post<One<InvitationWithUrl>>('/workspace/invitations', body, { key }),
    {
      changes: ['members'],
      onDone: ({ data }) => {
        setEmail('');
        if (data.url) setLink(data.url);
        else showToast({ text: words.noLink, tone: 'problem' });
      },
    },
  );
  const submit = () => invite.mutate({ email: email.trim(), role });
  return (
    <Card title={words.inviteTitle}>
      <ScriptForm onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-[1fr_1fr_auto]">
          <Field
            label={words.email}
            type="email"
            required
            autoComplete="off"
            value={email}
            onValue={setEmail}
          />
          <Select
            label={words.role}
            hint={words.rights[role]}
            value={role}
            onValue={value => setRole(value as Role)}
            options={roleNames.map(name => [name, texts.common.roles[name]])}
          />
          <Button
            type="submit"
            tone="primary"
            busy={invite.isPending}
            className="justify-self-start sm:mt-6.5 sm:self-start"
          >
            {words.invite}
          </Button>
        </div>
        {invite.error && <ErrorBox error={invite.error} />}
      </ScriptForm>
      {link && (
        <SecretDialog
          title={words.linkTitle}
          lead={words.linkLead(invite.data?.data.mailed ?? false)}
          secret={link}
          onClose={() => setLink(null)}
        />
      )}
    </Card>
  );
}

/** A workspace keeps an owner. */
function MemberRow({ member, isOnlyOwner }: { member: Member; isOnlyOwner: boolean }) {
  const { isOwner, user } = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const [nextRole, setNextRole] = useState<Role | null>(null);
  const who = member.name ?? member.email ?? words.noAddress;
  const path = `/workspace/members/${member.userId}`;
  const change = useAction((role: Role) => api.patch(path, { role }), {
    changes: ['members', 'workspaces'],
    onDone: () => {
      setNextRole(null);
      showToast({ text: words.roleChanged });
    },
  });
  const remove = useAction(() => api.delete(path) as Promise<One<{ revokedKeyIds: string[] }>>, {
    changes: ['members', 'keys'],
    onDone: ({ data }) => {
      setRemoving(false);
      showToast({ text: words.removed(data.revokedKeyIds.length) });
    },
  });
  const isYou = member.userId === user?.id;
  return (
    <div className="grid gap-2 p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="font-sans text-base font-semibold">{who}</h2>
            {isYou && <Badge>{words.you}</Badge>}
          </div>
          <p className="text-sm text-soft">
            {member.name && `${member.email ?? words.noAddress} · `}
            {words.joined} <TimeInZone at={member.createdAt} isRelative />
          </p>
        </div>
        {isOwner && !isOnlyOwner ? (
          <>
            <select
              aria-label={words.roleOf(who)}
              value={nextRole ?? member.role}
              onChange={event => setNextRole(event.target.value as Role)}
              className="min-h-11 rounded-control border border-edge bg-sheet px-3 text-base"
            >
              {roleNames.map(name => (
                <option key={name} value={name}>
                  {texts.common.roles[name]}
                </option>
              ))}
            </select>
            <Button className="!text-float-ink" onClick={() => setRemoving(true)}>
              {words.remove}
            </Button>
          </>
        ) : (
          <Badge>{texts.common.roles[member.role]}</Badge>
        )}
      </div>
      {nextRole && nextRole !== member.role && (
        <ConfirmDialog
          title={words.roleTitle(who, texts.common.roles[nextRole])}
          confirm={words.changeRole}
          tone="primary"
          action={change}
          onConfirm={() => change.mutate(nextRole)}
          onClose={() => {
            change.reset();
            setNextRole(null);
          }}
        >
          <p>{words.rights[nextRole]}.</p>
        </ConfirmDialog>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={words.removeTitle(who)}
          confirm={words.remove}
          action={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        >
          <p>{words.removeBody}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Invitations() {
  const list = useInfiniteQuery(invitationList);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  return (
    <section className="grid gap-3">
      <h2 className="text-lg">{words.invitations}</h2>
      <List
        query={list}
        label={words.invitations}
        empty={<p className="text-soft">{words.noInvitations}</p>}
        row={invitation => (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
            <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
              <p className="font-semibold">{invitation.email}</p>
              <p className="text-sm text-soft">
                {texts.common.roles[invitation.role]} · {words.expires}{' '}
                <TimeInZone at={invitation.expiresAt} />
              </p>
            </div>
            <Button onClick={() => setRevoking(invitation)}>{words.revoke}</Button>
          </div>
        )}
      />
      {revoking && <Withdraw invitation={revoking} onClose={() => setRevoking(null)} />}
    </section>
  );
}

function Withdraw({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const withdraw = useAction(() => api.delete(`/workspace/invitations/${invitation.id}`), {
    changes: ['members'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={words.revokeTitle(invitation.email)}
      confirm={words.revoke}
      action={withdraw}
      onConfirm={() => withdraw.mutate()}
      onClose={onClose}
    >
      <p>{words.revokeBody}</p>
    </ConfirmDialog>
  );
}
