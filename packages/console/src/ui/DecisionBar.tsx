import type { ReactNode } from 'react';
import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

/** Null is not allowed, or not yet; what is left out is not offered. */
type Press = (() => void) | null | undefined;

type Props = {
  onReject: Press;
  onEdit?: Press;
  /** In place of Edit, where another is to change the deck. */
  askLabel?: string | undefined;
  onApprove: Press;
  /** Buttons do not flicker in the moment before they act. */
  isSteady?: boolean;
  /** What is approved cannot be posted. */
  isWarned?: boolean;
  /** A dialog is open over it. */
  isHidden?: boolean;
  /** Above the buttons. */
  children?: ReactNode;
};

/** What can be decided on the deck on screen, at the lower edge of a phone. */
export function DecisionBar({
  onReject,
  onEdit,
  askLabel,
  onApprove,
  isSteady,
  isWarned,
  isHidden,
  children,
}: Props) {
  const look = isSteady ? 'disabled:!opacity-100' : '';
  const button = (label: string, icon: 'cross' | 'edit' | 'approve', onClick: Press, className: string) =>
    onClick !== undefined && (
      <Button
        size="large"
        tone={icon === 'approve' && !isWarned ? 'go' : 'plain'}
        className={className}
        disabled={onClick === null}
        onClick={onClick ?? undefined}
        icon={<Icon name={icon} />}
      >
        {label}
      </Button>
    );
  return (
    <fieldset
      aria-label={texts.approve.decision}
      className={`fixed inset-x-0 bottom-(--bar) z-10 grid gap-2 border-t border-line bg-ground/95 p-3 pb-[calc(0.75rem+var(--below,0px))] text-center text-sm text-soft backdrop-blur max-[18rem]:static lg:sticky lg:bottom-0 lg:bg-ground lg:px-0 lg:py-4 lg:text-start ${isHidden ? 'invisible' : ''}`}
    >
      {children}
      <div className="mx-auto flex w-full max-w-lg flex-wrap gap-2.5 text-ink empty:hidden max-[23rem]:gap-1.5 max-[23rem]:[&_svg]:hidden lg:mx-0">
        {button(texts.common.reject, 'cross', onReject, `flex-1 !text-float-ink ${look}`)}
        {button(askLabel ?? texts.common.edit, 'edit', onEdit, askLabel ? 'flex-1 [&_svg]:hidden' : 'flex-1')}
        {button(texts.common.approve, 'approve', onApprove, `flex-[1.4] ${look}`)}
      </div>
    </fieldset>
  );
}
