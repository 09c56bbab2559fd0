import { fittingTemplate } from '@hookline/shared/contracts/fitting-template';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ownOrigin } from '../api.ts';
import { picturesQuery } from '../queries.ts';
import { manageTexts } from '../texts/manage.ts';
import type { App } from '../types.ts';
import { Radio } from '../ui/Field.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { templatesQuery } from './queries.ts';

const words = manageTexts.templates;

/**
 * The template of a deck of an app.
 * @param choices the first that can be drawn counts, before what fits the app; empty: none
 */
export function useTemplate(app: App | undefined, choices: readonly (string | null | undefined)[]) {
  const templates = useQuery(templatesQuery).data ?? [];
  const pictures = useQuery({ ...picturesQuery(app?.id ?? ''), enabled: app !== undefined }).data;
  const hasPictures = pictures === undefined || pictures.length > 0;
  const canDraw = (id: string | null | undefined) =>
    id === '' || templates.some(template => template.id === id && (hasPictures || !template.needsPictures));
  const photos = pictures?.filter(({ kind, id }) => kind === 'upload' && id !== app?.brand?.logoImageId);
  return { id: choices.find(canDraw) ?? fittingTemplate(photos?.length ?? 0), hasPictures };
}

type Props = {
  value: string;
  onChange: (id: string) => void;
  appId: string;
  /** Of the app. */
  hasPictures: boolean;
  /** False where the deck is posted. */
  mayBeNone?: boolean;
};

/** The template of a deck by a slide that it drew; an empty value is none. */
export function TemplatePicker({ value, onChange, appId, hasPictures, mayBeNone = true }: Props) {
  const query = useQuery(templatesQuery);
  if (query.isError && !query.data) return <ReadError queries={[query]} />;
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">{words.template}</legend>
      <div className="grid grid-cols-4 gap-1 sm:grid-cols-[repeat(auto-fill,6.5rem)] sm:gap-3">
        {(query.data ?? []).map(({ id, name, needsPictures, sampleUrls: [cover, sample = cover] }) => (
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
            <img
              src={sample && ownOrigin(sample)}
              alt=""
              loading="lazy"
              className="aspect-[9/16] w-full rounded-sm bg-well object-cover peer-disabled:opacity-40"
            />
            {name}
          </label>
        ))}
      </div>
      {!hasPictures && (
        <p className="mt-2 text-sm text-soft">
          {words.needsPictures}{' '}
          <Link
            to="/apps/$appId"
            params={{ appId }}
            className="font-semibold text-ink underline underline-offset-2"
          >
            {words.addPictures}
          </Link>
        </p>
      )}
      {mayBeNone && (
        <Radio
          name="template"
          className="mt-3"
          label={words.noTemplate}
          hint={words.textsOnly}
          checked={value === ''}
          onChange={() => onChange('')}
        />
      )}
    </fieldset>
  );
}
