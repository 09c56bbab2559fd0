import type { ScheduleDraft, SettledSchedule } from '../../rules/schedule-draft.ts';
import { workTexts } from '../../texts/work.ts';
import type { Account, PrivacyLevel } from '../../types.ts';
import { Checkbox, Group, Radio, Select } from '../../ui/Field.tsx';
import { Card } from '../../ui/Screen.tsx';

const words = workTexts.schedule;

type Props = {
  draft: ScheduleDraft;
  settled: SettledSchedule;
  account: Account | undefined;
  set: (change: Partial<ScheduleDraft>) => void;
};

/** As a draft or directly, and what TikTok wants chosen for a direct post. */
export function HowCard({ draft, settled, account, set }: Props) {
  const { isPhone, isDirect, mayPublish, lacksDisclosure, choices, body } = settled;
  return (
    <Card>
      {isPhone && <p>{words.phoneHint}</p>}
      {!isPhone && (
        <Group legend={words.how}>
          <Radio
            name="mode"
            label={words.publish}
            hint={account && !account.canPublish ? words.cannotPublish : words.publishHint}
            disabled={!mayPublish}
            checked={isDirect}
            onChange={() => set({ mode: 'publish' })}
          />
          <Radio
            name="mode"
            label={words.draft}
            hint={words.draftHint}
            checked={!isDirect}
            onChange={() => set({ mode: 'draft' })}
          />
        </Group>
      )}
      {isDirect && (
        <>
          <Select
            label={words.privacy}
            hint={body.brandedContent && words.brandedNotPrivate}
            required
            // The browser scrolls to it above the bar with the button.
            className="scroll-mb-80"
            value={draft.privacy}
            onValue={value => set({ privacy: value as PrivacyLevel | '' })}
          >
            <option value="">{words.privacyChoose}</option>
            {account?.privacyLevels.map(level => (
              <option key={level} value={level} disabled={level === 'SELF_ONLY' && body.brandedContent}>
                {words.levels[level]}
              </option>
            ))}
          </Select>
          <Checkbox
            label={words.comments}
            hint={account?.commentDisabled && words.commentsOff}
            disabled={account?.commentDisabled}
            checked={draft.hasComments && !account?.commentDisabled}
            onCheck={hasComments => set({ hasComments })}
          />
          <Checkbox
            label={words.disclose}
            hint={words.discloseHint}
            checked={draft.isDisclosed}
            onCheck={isDisclosed => set({ isDisclosed })}
          />
          {draft.isDisclosed && (
            <div className="grid gap-3 ps-9">
              <Checkbox
                label={words.yourBrand}
                hint={words.yourBrandHint}
                checked={draft.isOwnBrand}
                onCheck={isOwnBrand => set({ isOwnBrand })}
              />
              <Checkbox
                label={words.branded}
                hint={draft.privacy === 'SELF_ONLY' ? words.brandedNotPrivate : words.brandedHint}
                disabled={draft.privacy === 'SELF_ONLY'}
                checked={draft.isBranded}
                onCheck={isBranded => set({ isBranded })}
              />
              {(body.brandOrganic || body.brandedContent) && (
                <p className="text-sm font-medium">
                  {words.labelled(body.brandedContent ? words.paid : words.promotional)}
                </p>
              )}
              {lacksDisclosure && <p className="text-sm font-medium text-float-ink">{words.discloseOne}</p>}
            </div>
          )}
        </>
      )}
      <details>
        <summary className="cursor-pointer font-semibold">{words.more}</summary>
        <div className="grid gap-3 pt-3">
          <Checkbox label={words.ai} checked={draft.isAi} onCheck={isAi => set({ isAi })} />
          <Checkbox label={words.music} checked={choices.hasMusic} onCheck={hasMusic => set({ hasMusic })} />
        </div>
      </details>
    </Card>
  );
}
