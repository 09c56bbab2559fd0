import { useQuery } from '@tanstack/react-query';
import { ownOrigin } from '../api.ts';
import { manageTexts } from '../texts/manage.ts';
import { ReadError } from '../ui/Shown.tsx';
import { templatesQuery } from './queries.ts';

const words = manageTexts.templates;

type Props = {
  value: string;
  onChange: (id: string) => void;
  /** Of the app. */
  hasPictures: boolean;
};

/** The template of a deck by a slide that it drew; an empty value is none. */
export function TemplatePicker({ value, onChange, hasPictures }: Props) {
  const query = useQuery(templatesQuery);
  if (query.isError && !query.data) return <ReadError queries={[query]} />;
  const none = { id: '', name: words.noTemplate, needsPictures: false, sampleUrls: [] as string[] };
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">{words.template}</legend>
      <div className="grid grid-cols-4 gap-1 sm:gap-3">
        {[...(query.data ?? []), none].map(
          ({ id, name, needsPictures, sampleUrls: [cover, sample = cover] }) => (
            <label
              key={id}
              className="relative grid content-start gap-1.5 rounded-control border-2 border-transparent p-0.5 text-center text-xs font-semibold has-checked:border-go has-disabled:text-soft has-focus-visible:outline-2 has-focus-visible:outline-focus sm:p-1 sm:text-sm"
            >
              <input
                type="radio"
                name="template"
                checked={value === id}
                disabled={needsPictures && !hasPictures}
                onChange={() => onChange(id)}
                className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
              />
              {sample ? (
                <img
                  src={ownOrigin(sample)}
                  alt=""
                  loading="lazy"
                  className="aspect-[9/16] w-full rounded-sm bg-deep object-cover peer-disabled:opacity-40"
                />
              ) : (
                <span
                  aria-hidden="true"
                  className="grid aspect-[9/16] w-full place-items-center rounded-sm border border-line bg-well font-display text-xl text-soft"
                >
                  Aa
                </span>
              )}
              {name}
            </label>
          ),
        )}
      </div>
    </fieldset>
  );
}
