import { type ReactNode, useState } from 'react';
import { api } from '../../api.ts';
import { areComplete, PostingTimes } from '../../manage/PostingTimes.tsx';
import { inOrder, planText } from '../../manage/plan.ts';
import { zoneOptions } from '../../manage/zones.ts';
import { useMe } from '../../me.ts';
import { shortName } from '../../rules/account-name.ts';
import { manageTexts } from '../../texts/manage.ts';
import { texts } from '../../texts/shell.ts';
import type { Account } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, Foot } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';
import { deviceZone } from '../../zone.ts';

const words = manageTexts.slots;

/** Shows the posting slots of an account, and below them the button that edits them with other actions of the account. */
export function Slots({ account, children }: { account: Account; children: ReactNode }) {
  const { isOwner } = useMe();
  const [isOpen, setOpen] = useState(false);
  const { slots, timezone } = account;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-soft">
        {slots.length > 0 ? `${words.title}: ${planText(slots)} (${timezone})` : words.none}
      </p>
      {isOwner && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" onClick={() => setOpen(true)}>
            {account.kind === 'phone' ? words.changePhone : words.change}
          </Button>
          {children}
        </div>
      )}
      {isOpen && <SlotsEditor account={account} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Sets the posting slots of an account. */
export function SlotsEditor({ account, onClose }: { account: Account; onClose: () => void }) {
  const isNew = account.slots.length === 0;
  const [slots, setSlots] = useState(() => inOrder(account.slots));
  const [name, setName] = useState(account.displayName);
  const isNamedHere = account.kind === 'phone';
  const [timezone, setTimezone] = useState(isNew ? deviceZone() : account.timezone);
  const save = useAction((body: object) => api.patch(`/accounts/${account.id}`, body), {
    changes: ['accounts'],
    onDone: () => {
      showToast({ text: words.saved });
      onClose();
    },
  });
  const submit = () => save.mutate({ slots, timezone, ...(isNamedHere && { name }) });
  return (
    <Dialog title={`${words.title}: ${shortName(account)}`} onClose={onClose}>
      <ScriptForm onSubmit={submit}>
        {isNamedHere && (
          <Field
            label={manageTexts.accounts.phoneName}
            maxLength={60}
            required
            value={name}
            onValue={setName}
          />
        )}
        <p className="text-soft">{words.lead}</p>
        <PostingTimes times={slots} onChange={times => setSlots([...times])} mayBeEmpty />
        <Select
          label={manageTexts.automations.zone}
          value={timezone}
          onValue={setTimezone}
          options={zoneOptions(timezone)}
        />
        {save.error && <ErrorBox error={save.error} />}
        <Foot>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" tone="primary" busy={save.isPending} disabled={!areComplete(slots)}>
            {texts.common.save}
          </Button>
        </Foot>
      </ScriptForm>
    </Dialog>
  );
}
