import { useQuery } from '@tanstack/react-query';
import { picturesQuery } from '../queries.ts';
import { manageTexts } from '../texts/manage.ts';
import type { App, Picture } from '../types.ts';
import { Select } from '../ui/Field.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { templatesQuery } from './queries.ts';

const words = manageTexts.templates;

type Props = {
  value: string;
  onChange: (id: string) => void;
  /** A deck that has a template keeps one. */
  isRequired?: boolean;
};

/** An app with so many pictures of its own gets decks with photos, unless somebody chooses otherwise. */
const photosMin = 3;

export function useFittingTemplate(app: App | undefined) {
  return fittingTemplate(
    app,
    useQuery({ ...picturesQuery(app?.id ?? ''), enabled: app !== undefined }).data ?? [],
  );
}

export function fittingTemplate(
  app: App | undefined,
  pictures: readonly Picture[],
): 'photo-card' | 'quote-card' {
  const photos = pictures.filter(({ kind, id }) => kind === 'upload' && id !== app?.brand?.logoImageId);
  return photos.length >= photosMin ? 'photo-card' : 'quote-card';
}

/** The template of a deck; an empty value is none. */
export function TemplateSelect({ value, onChange, isRequired = false }: Props) {
  const query = useQuery(templatesQuery);
  if (query.isError && !query.data) return <ReadError queries={[query]} />;
  return (
    <Select label={words.template} value={value} onChange={event => onChange(event.target.value)}>
      {query.data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {!isRequired && <option value="">{words.noTemplate}</option>}
    </Select>
  );
}
