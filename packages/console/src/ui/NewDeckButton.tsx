import { useNavigate } from '@tanstack/react-router';
import { useMe } from '../me.ts';
import { texts } from '../texts/shell.ts';
import { Button, type Tone } from './Button.tsx';
import { Icon } from './Icon.tsx';

type Props = { appId?: string; tone?: Tone; size?: 'normal' | 'small'; className?: string };

/** Opens the sheet of a new deck above the screen. */
export function useNewDeck(): (appId?: string) => void {
  const navigate = useNavigate();
  return (appId = 'deck') =>
    void navigate({ to: '.', search: (found: object) => ({ ...found, new: appId }) });
}

/** Nothing for who may not make one. */
export function NewDeckButton({ appId, ...look }: Props) {
  const openSheet = useNewDeck();
  const { canEdit } = useMe();
  if (!canEdit) return null;
  return (
    <Button {...look} icon={<Icon name="plus" />} onClick={() => openSheet(appId)}>
      {texts.nav.newDeck}
    </Button>
  );
}
