import { type ReactNode, useState } from 'react';
import { ownOrigin } from '../../api.ts';
import { workTexts } from '../../texts/work.ts';
import type { Picture, SlideLook } from '../../types.ts';
import { TextArea } from '../../ui/Field.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';

const words = workTexts.edit;

type Props = {
  label: string;
  text: string;
  maxLength: number;
  /** It is its picture: the text is not drawn, and may be empty. */
  isPicture?: boolean;
  /** The deck is made of finished slides, so that each slide names its own. */
  isFinished: boolean;
  look: SlideLook;
  /** Empty: the template shows none, or the app has none. */
  pictures: readonly Picture[];
  onText: (text: string) => void;
  /** The slide is being edited: phones show its fields only. */
  isOpen: boolean;
  onFocus: () => void;
  /** Null: the deck has no slide images. */
  onLook: ((look: SlideLook) => void) | null;
  /** Buttons at the end of the row. */
  children?: ReactNode;
};

/** The text of one slide with its picture and position. */
export function SlideFields({
  label,
  text,
  maxLength,
  isPicture = false,
  isFinished,
  look,
  pictures,
  isOpen,
  onText,
  onFocus,
  onLook,
  children,
}: Props) {
  const [isChoosing, setChoosing] = useState(false);
  const shown = pictures.find(({ id }) => id === look.pictureId);
  const choice = shown ? words.pictureNth(pictures.indexOf(shown) + 1) : words.pictureAutomatic;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus comes from the fields in it
    <div
      className={`grid content-start gap-2 ${isOpen ? '' : 'max-lg:hidden'}`}
      onFocus={onFocus}
      onInvalidCapture={onFocus}
    >
      <TextArea
        label={label}
        required={!isPicture}
        maxLength={maxLength}
        hint={text.length > maxLength * 0.7 && words.length(text.length, maxLength)}
        rows={2}
        value={text}
        onValue={onText}
      />
      {(onLook || children) && (
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          {onLook && !isPicture && (
            <select
              aria-label={words.position(label)}
              className="min-h-11 rounded-control border border-edge/60 bg-sheet px-2 text-sm"
              value={look.position ?? 'auto'}
              onChange={event => onLook(withPosition(look, event.target.value))}
            >
              {Object.entries(words.positions).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
          {onLook && pictures.length > 0 && (
            <button
              type="button"
              aria-label={`${label}: ${choice}`}
              aria-expanded={isChoosing}
              className="flex min-h-11 items-center gap-2 rounded-control border border-edge/60 bg-sheet px-2 text-sm hover:bg-well"
              onClick={() => setChoosing(!isChoosing)}
            >
              {shown && <Thumbnail picture={shown} className="h-9 w-6" />}
              {choice}
            </button>
          )}
          <span className="flex-1" />
          {children}
        </div>
      )}
      {onLook && isChoosing && pictures.length > 0 && (
        <PictureStrip
          label={words.picture(label)}
          pictures={pictures}
          chosenId={look.pictureId}
          isRequired={isFinished}
          onChoose={pictureId => onLook({ ...look, pictureId })}
        />
      )}
    </div>
  );
}

const positions = ['top', 'middle', 'bottom'] as const;

function withPosition(look: SlideLook, value: string): SlideLook {
  return { ...look, position: positions.find(position => position === value) };
}

type StripProps = {
  label: string;
  pictures: readonly Picture[];
  chosenId: string | undefined;
  isRequired: boolean;
  onChoose: (pictureId: string | undefined) => void;
};

function PictureStrip({ label, pictures, chosenId, isRequired, onChoose }: StripProps) {
  const frame = (isChosen: boolean) =>
    `grid h-28 w-16 shrink-0 place-items-center overflow-hidden rounded-control border-2 text-xs ${isChosen ? 'border-go' : 'border-line'}`;
  return (
    <div role="group" aria-label={label} className="flex gap-2 overflow-x-auto pb-2">
      {!isRequired && (
        <button
          type="button"
          aria-pressed={chosenId === undefined}
          className={frame(chosenId === undefined)}
          onClick={() => onChoose(undefined)}
        >
          {words.pictureAuto}
        </button>
      )}
      {pictures.map((picture, index) => (
        <button
          key={picture.id}
          type="button"
          aria-label={words.pictureNth(index + 1)}
          aria-pressed={picture.id === chosenId}
          className={frame(picture.id === chosenId)}
          onClick={() => onChoose(picture.id)}
        >
          <Thumbnail picture={picture} className="size-full" />
        </button>
      ))}
    </div>
  );
}

function Thumbnail({ picture, className }: { picture: Picture; className: string }) {
  return (
    <img
      src={`${ownOrigin(picture.url)}&w=270`}
      alt=""
      loading="lazy"
      className={`object-cover ${className}`}
    />
  );
}

type RowButtonProps = {
  label: string;
  icon: IconName;
  isDisabled?: boolean;
  onPress: () => void;
  turn?: string;
};

export function RowButton({ label, icon, isDisabled = false, onPress, turn = '' }: RowButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isDisabled}
      className="grid size-10 pointer-coarse:size-11 place-items-center rounded-control text-soft hover:bg-well disabled:opacity-40"
      onClick={onPress}
    >
      <Icon name={icon} className={`size-4 ${turn}`} />
    </button>
  );
}
