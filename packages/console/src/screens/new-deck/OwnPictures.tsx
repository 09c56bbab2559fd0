import { ownOrigin } from '../../api.ts';
import { moved } from '../../rules/edit-draft.ts';
import type { DraftChange, NewDeckDraft } from '../../rules/new-deck.ts';
import { newDeckTexts as words } from '../../texts/new-deck.ts';
import { workTexts } from '../../texts/work.ts';
import { bound } from '../../ui/bound.ts';
import { Field, TextArea } from '../../ui/Field.tsx';
import { Upload } from '../apps/Pictures.tsx';
import { RowButton } from '../edit/SlideFields.tsx';

type Props = {
  draft: NewDeckDraft;
  change: (part: DraftChange) => void;
  errors: Partial<Record<string, string>>;
  appId: string;
};

/** Finished slides: files from elsewhere, shown as they are. */
export function OwnPictures({ draft, change, errors, appId }: Props) {
  const text = bound(draft, change);
  const { pictures } = draft;
  return (
    <>
      <Upload
        key={appId}
        appId={appId}
        kind="slide"
        label={words.addSlides}
        hint={words.slidesHint}
        onUploaded={({ id, url }) => change(before => ({ pictures: [...before.pictures, { id, url }] }))}
      />
      {errors['brief.pictureIds'] && (
        <p role="alert" className="text-sm font-medium text-float-ink">
          {errors['brief.pictureIds']}
        </p>
      )}
      <ol aria-label={words.ownSlides} className="grid grid-cols-3 gap-2 sm:grid-cols-5">
        {pictures.map(({ id, url }, index) => {
          const label = workTexts.edit.slide(index + 1);
          return (
            <li key={id} className="grid content-start gap-1">
              <img
                src={`${ownOrigin(url)}&w=270`}
                alt={label}
                className="aspect-[9/16] w-full rounded-sm bg-deep object-cover"
              />
              <span className="flex justify-center">
                <RowButton
                  label={workTexts.edit.earlier(label)}
                  icon="back"
                  isDisabled={index === 0}
                  onPress={() => change({ pictures: moved(pictures, index, -1) })}
                />
                <RowButton
                  label={workTexts.edit.removeSlide(index + 1)}
                  icon="cross"
                  onPress={() => change({ pictures: pictures.filter((_, at) => at !== index) })}
                />
              </span>
            </li>
          );
        })}
      </ol>
      <Field
        label={words.deckName}
        hint={words.deckNameHint}
        error={errors['brief.hook']}
        required
        maxLength={300}
        {...text('hook')}
      />
      <TextArea
        label={workTexts.edit.caption}
        error={errors['brief.caption']}
        isOptional
        maxLength={2200}
        rows={2}
        {...text('caption')}
      />
    </>
  );
}
