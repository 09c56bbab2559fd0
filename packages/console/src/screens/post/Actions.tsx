import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { api } from '../../api.ts';
import { later } from '../../later.ts';
import { useMe } from '../../me.ts';
import { useIsMetered } from '../../queries.ts';
import { adviceFor, isOut, type Stage } from '../../rules/next-step.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content, One } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { deckName } from '../../ui/deckName.ts';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { NewDeckButton } from '../../ui/NewDeckButton.tsx';
import { ShareButton } from '../../ui/ShareButton.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const CompareHooks = later(() => import('../numbers/CompareHooks.tsx'), 'CompareHooks');

const words = workTexts.post;

type Props = { content: Content; stage: Stage; onElsewhere: () => void };

/** What can be done with a deck: in one row what comes next, in a menu what is seldom wanted. */
export function Actions({ content, stage, onElsewhere }: Props) {
  const navigate = useNavigate();
  const { canEdit, canApprove } = useMe();
  const isMetered = useIsMetered();
  const [isComparing, setComparing] = useState(false);
  const duplicate = useAction<void, One<Content>>(
    (_, key) => api.post(`/content/${content.id}/duplicate`, undefined, { key }),
    {
      changes: ['content', 'credits'],
      onDone: ({ data }) => {
        showToast({ text: words.duplicated });
        void navigate({ to: '/posts/$contentId/edit', params: { contentId: data.id } });
      },
    },
  );
  const params = { contentId: content.id };
  const schedule = () => void navigate({ to: '/posts/$contentId/schedule', params });
  const advice = stage.is === 'sendFailed' ? adviceFor(stage.schedule) : null;
  const isReady = content.status === 'ready';
  const isApproved = content.approvalStatus === 'approved';
  const mayPost = isApproved && content.images.length > 0;
  const isPostNext =
    stage.is === 'approved' || advice === 'schedule' || advice === 'elsewhere' || advice === 'operator';
  return (
    <>
      {duplicate.error && <ErrorBox error={duplicate.error} />}
      <div className="flex items-center gap-2.5 max-[28rem]:gap-1.5">
        <div className="flex flex-wrap gap-2.5 empty:hidden max-[28rem]:gap-1.5 max-[28rem]:[&_button]:px-3 max-[28rem]:[&_svg]:hidden">
          {content.error?.code === 'insufficient_credits' ? (
            <Link
              to="/credits"
              className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
            >
              {texts.screens.credits}
            </Link>
          ) : (
            content.status === 'failed' && <NewDeckButton appId={content.appId} tone="primary" />
          )}
          {mayPost && isPostNext && (
            <Button
              tone={advice === 'operator' ? 'plain' : 'primary'}
              disabled={!canEdit}
              onClick={schedule}
              icon={<Icon name="schedule" />}
            >
              {texts.common.schedule}
            </Button>
          )}
          {isReady && content.approvalStatus === 'pending' && !content.changesRequested && (
            <Button
              tone="go"
              disabled={!canApprove}
              onClick={() => void navigate({ to: '/approve', search: { deck: content.id } })}
            >
              {words.review}
            </Button>
          )}
          {isReady && !isOut(stage) && (
            <Button
              tone={advice === 'edit' ? 'primary' : 'plain'}
              disabled={!canEdit}
              onClick={() => void navigate({ to: '/posts/$contentId/edit', params })}
              icon={<Icon name="edit" />}
            >
              {texts.common.edit}
            </Button>
          )}
          <ShareButton content={content} />
        </div>
        {canEdit && (
          <Menu
            of={deckName(content)}
            items={[
              mayPost && !isPostNext && { label: words.again, onPress: schedule },
              isReady && {
                label: isMetered ? words.duplicate : words.duplicateFree,
                isDisabled: duplicate.isPending,
                onPress: () => duplicate.mutate(),
              },
              isApproved &&
                (stage.is === 'approved' || stage.is === 'scheduled') && {
                  label: workTexts.compareHooks.open,
                  onPress: () => setComparing(true),
                },
              isApproved && !isOut(stage) && { label: words.elsewhereDone, onPress: onElsewhere },
            ]}
          />
        )}
      </div>
      {isComparing && (
        <Suspense>
          <CompareHooks content={content} onClose={() => setComparing(false)} />
        </Suspense>
      )}
    </>
  );
}
