import { useMe } from '../../me.ts';
import { mayApprove, mayReject, onScreen, type Place } from '../../rules/approve-queue.ts';
import { texts } from '../../texts/shell.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

type Props = {
  place: Place;
  /** A dialog is open over it. */
  isHidden: boolean;
  onApprove: () => void;
  onReject: () => void;
  onEdit: () => void;
};

export function DecisionBar({ place, isHidden, onApprove, onReject, onEdit }: Props) {
  const { canApprove, canEdit, role } = useMe();
  // They do not flicker in the moment before they act.
  const steady = canApprove && onScreen(place)?.look === 'painted' ? 'disabled:!opacity-100' : '';
  return (
    <fieldset
      disabled={place.is === 'gone' || (!canApprove && !canEdit)}
      aria-label={texts.approve.decision}
      className={`fixed inset-x-0 bottom-(--bar) z-10 border-t border-line bg-ground/95 p-3 backdrop-blur lg:static lg:border-0 lg:bg-transparent lg:p-0 ${isHidden ? 'invisible' : ''}`}
    >
      <div className="mx-auto flex max-w-lg gap-2.5 max-[23rem]:gap-1.5 max-[23rem]:[&_svg]:hidden lg:mx-0">
        <Button
          size="large"
          className={`flex-1 !text-float-ink ${steady}`}
          disabled={!canApprove || !mayReject(place)}
          onClick={onReject}
          icon={<Icon name="cross" />}
        >
          {texts.common.reject}
        </Button>
        <Button
          size="large"
          className="flex-1"
          disabled={!canEdit}
          onClick={onEdit}
          icon={<Icon name="edit" />}
        >
          {texts.common.edit}
        </Button>
        <Button
          size="large"
          tone="go"
          className={`flex-[1.4] ${steady}`}
          disabled={!canApprove || !mayApprove(place)}
          onClick={onApprove}
          icon={<Icon name="approve" />}
        >
          {texts.common.approve}
        </Button>
      </div>
      {!canApprove && (
        <p className="pt-2 text-center text-sm text-soft">
          {texts.common.roleLacks(role, texts.screens.approve.toLowerCase())}
        </p>
      )}
    </fieldset>
  );
}
