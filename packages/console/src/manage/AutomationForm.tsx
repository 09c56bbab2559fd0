import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { creditsQuery } from '../queries.ts';
import { fullName, shortName } from '../rules/account-name.ts';
import { changedIn } from '../rules/changed.ts';
import { usableAccounts } from '../rules/choices.ts';
import { fieldErrors } from '../rules/field-error.ts';
import { topicLines } from '../rules/topic-lines.ts';
import { manageTexts } from '../texts/manage.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Account, App, PrivacyLevel } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, Group, Radio, Select, TextArea } from '../ui/Field.tsx';
import { FormFoot } from '../ui/FormActions.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { useAction } from '../ui/useAction.ts';
import { fromLocal, timesIn, toLocal } from '../zone.ts';
import { areComplete, PostingTimes } from './PostingTimes.tsx';
import { weekdays } from './plan.ts';
import type { Automation, PostingTime } from './queries.ts';
import { TemplatePicker, useTemplate } from './TemplatePicker.tsx';
import { zoneOptions } from './zones.ts';

const words = manageTexts.automations;

type Props = {
  /** Null makes a new one. App and account of an existing one stay. */
  automation: Automation | null;
  /** That the form begins with. */
  zone: string;
  apps: readonly App[];
  accounts: readonly Account[];
  onClose: () => void;
};

export function AutomationForm({ automation, zone, apps, accounts, onClose }: Props) {
  // The lists may arrive after the form is open; until somebody chooses, the first of each is meant.
  const [chosenApp, setAppId] = useState(automation?.appId);
  const [chosenAccount, setAccountId] = useState(automation?.tiktokAccountId);
  const appId = chosenApp ?? apps[0]?.id ?? '';
  const usable = automation
    ? accounts.filter(({ id }) => id === automation.tiktokAccountId)
    : usableAccounts(accounts, appId);
  const account = usable.find(({ id }) => id === chosenAccount) ?? usable[0];
  const accountId = account?.id ?? '';
  const isPhone = account?.kind === 'phone';
  const [timezone, setTimezone] = useState(zone);
  const [times, setTimes] = useState<readonly PostingTime[]>(
    automation?.postingTimes ?? [{ time: '09:00', days: [...weekdays.slice(0, 5)] }],
  );
  const [approvalMode, setApprovalMode] = useState<'manual' | 'auto'>(automation?.approvalMode ?? 'manual');
  const [postingMode, setPostingMode] = useState<'drafts' | 'publish'>(automation?.postingMode ?? 'drafts');
  const [privacyLevel, setPrivacyLevel] = useState<PrivacyLevel | ''>(automation?.privacyLevel ?? '');
  const [topics, setTopics] = useState(automation?.brief?.topic ?? automation?.topics.join('\n') ?? '');
  const [untilLocal, setUntilLocal] = useState(() =>
    automation?.until ? toLocal(automation.until, automation.timezone) : '',
  );
  const [maxFirings, setMaxFirings] = useState(automation?.maxFirings?.toString() ?? '');
  const [chosenTemplate, setTemplateId] = useState(
    automation ? (automation.brief?.templateId ?? '') : undefined,
  );
  const template = useTemplate(
    apps.find(({ id }) => id === appId),
    [chosenTemplate],
  );
  // What an automation has is kept, also while it cannot be drawn.
  const templateId = (automation && chosenTemplate) ?? template.id;
  const credits = useQuery(creditsQuery).data;
  const aWeek = times.reduce((sum, { days }) => sum + days.length, 0);

  const save = useAction(
    (body: object, key) =>
      automation
        ? api.patch(`/automations/${automation.id}`, body)
        : api.post(
            '/automations',
            { appId, tiktokAccountId: accountId, format: 'slideshow', ...body },
            { key },
          ),
    { changes: ['automations'], onDone: onClose },
  );
  const { topic: _topic, templateId: _template, ...kept } = automation?.brief ?? {};
  const lines = topicLines(topics);
  // A brief that somebody confirmed stays as it is.
  const isList = lines.length > 1 || (automation?.topics.length ?? 0) > 0;
  const until = fromLocal(untilLocal, timezone);
  const body = {
    postingTimes: times,
    timezone,
    brief: {
      ...kept,
      ...(isList || lines[0] === undefined ? {} : { topic: lines[0] }),
      ...(templateId === '' ? {} : { templateId }),
    },
    topics: isList ? lines : [],
    until,
    maxFirings: maxFirings === '' ? null : Number(maxFirings),
    approvalMode,
    postingMode: isPhone ? 'drafts' : postingMode,
    ...(!isPhone && postingMode === 'publish' && privacyLevel !== '' ? { privacyLevel } : {}),
  };
  const [begun] = useState(body);
  const [isTouched, setTouched] = useState(false);
  const given = automation ? changedIn(begun, body) : body;
  const submit = () => save.mutate(given);
  const errors = fieldErrors(save.error, { until: words.until });
  const isEndClear = untilLocal === '' || until !== null;
  const isChanged = Object.keys(given).length > 0;
  const isComplete = isChanged && isEndClear && times.length > 0 && areComplete(times);

  return (
    <Dialog
      title={automation ? words.editTitle : words.newTitle}
      size="wide"
      onClose={onClose}
      byButtonOnly={isTouched}
    >
      <ScriptForm onSubmit={submit} onChange={() => setTouched(true)} className="grid gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={words.app}
            value={appId}
            disabled={automation !== null}
            onValue={value => {
              setAppId(value);
              setPrivacyLevel('');
            }}
            options={apps.map(({ id, name }) => [id, name])}
          />
          <Select
            label={words.account}
            value={accountId}
            disabled={automation !== null}
            onValue={value => {
              setAccountId(value);
              setPrivacyLevel('');
            }}
            options={usable.map(one => [one.id, fullName(one)])}
          />
          <Select label={words.zone} value={timezone} onValue={setTimezone} options={zoneOptions(timezone)} />
        </div>
        <Group legend={words.times}>
          {account && account.slots.length > 0 && (
            <Button
              size="small"
              className="justify-self-start py-1.5 !whitespace-normal wrap-anywhere text-start"
              onClick={() => {
                setTimes(account.slots);
                setTimezone(account.timezone);
              }}
            >
              {words.useSlots(shortName(account))}
            </Button>
          )}
          <PostingTimes times={times} onChange={setTimes} />
        </Group>
        <TemplatePicker
          value={templateId}
          appId={appId}
          hasPictures={template.hasPictures}
          mayBeNone={templateId === ''}
          onChange={setTemplateId}
        />
        <TextArea
          label={words.topics}
          hint={words.topicsHint}
          isOptional
          value={topics}
          onValue={setTopics}
        />
        <Group legend={words.ends}>
          <div className="grid gap-4 sm:grid-cols-2">
            <LocalTime
              label={words.until}
              hint={texts.common.timesIn(timezone)}
              error={errors.until ? timesIn(errors.until, timezone) : null}
              isOptional
              value={untilLocal}
              onChange={setUntilLocal}
            />
            <Field
              label={words.maxFirings}
              hint={automation && words.made(automation.firingsMade)}
              isOptional
              type="number"
              min={1}
              max={1_000_000}
              value={maxFirings}
              onValue={setMaxFirings}
            />
          </div>
        </Group>
        <div className="grid gap-5 sm:grid-cols-2">
          <Group legend={words.approval}>
            <Radio
              name="approval"
              label={words.manual}
              checked={approvalMode === 'manual'}
              onChange={() => setApprovalMode('manual')}
            />
            <Radio
              name="approval"
              label={words.auto}
              hint={words.autoHint}
              checked={approvalMode === 'auto'}
              onChange={() => setApprovalMode('auto')}
            />
          </Group>
          <Group legend={words.posting}>
            {isPhone ? (
              <p className="text-soft">{workTexts.schedule.phoneHint}</p>
            ) : (
              <>
                <Radio
                  name="posting"
                  label={words.drafts}
                  checked={postingMode === 'drafts'}
                  onChange={() => setPostingMode('drafts')}
                />
                <Radio
                  name="posting"
                  label={words.publish}
                  checked={postingMode === 'publish'}
                  onChange={() => setPostingMode('publish')}
                />
                {postingMode === 'publish' && (
                  <Select
                    label={words.privacy}
                    required
                    value={privacyLevel}
                    onValue={value => setPrivacyLevel(value as PrivacyLevel)}
                    none={words.privacyChoose}
                    options={(account?.privacyLevels ?? []).map(level => [
                      level,
                      workTexts.schedule.levels[level],
                    ])}
                  />
                )}
              </>
            )}
          </Group>
        </div>
        <FormFoot
          label={automation ? texts.common.save : texts.common.create}
          action={{ ...save, error: errors.until ? null : save.error }}
          disabled={!isComplete}
          onCancel={onClose}
        >
          <p className="basis-full text-sm text-soft sm:flex-1 sm:basis-0">
            {words.perWeek(aWeek)}
            {credits?.unlimited === false && words.lasts(credits.balance)}
          </p>
        </FormFoot>
      </ScriptForm>
    </Dialog>
  );
}
