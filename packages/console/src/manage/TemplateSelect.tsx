import { useQuery } from '@tanstack/react-query';
import { manageTexts } from '../texts/manage.ts';
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

/** The template of a deck; an empty value is none. */
export function TemplateSelect({ value, onChange, isRequired = false }: Props) {
  const query = useQuery(templatesQuery);
  if (query.isError && !query.data) return <ReadError queries={[query]} />;
  return (
    <Select
      label={words.template}
      value={value}
      onValue={onChange}
      options={query.data?.map(({ id, name }) => [id, name])}
    >
      {!isRequired && <option value="">{words.noTemplate}</option>}
    </Select>
  );
}
