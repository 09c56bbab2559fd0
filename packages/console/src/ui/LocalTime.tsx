/** Times are typed on 24 hours, as they are shown: the browser's own field has AM and PM in some languages. */
import { type ReactNode, useState } from 'react';
import { zoneTexts } from '../texts/zone.ts';
import { clockFrom } from '../zone.ts';
import { Field } from './Field.tsx';

type ClockProps = {
  label: string;
  required?: boolean;
  isInvalid?: boolean;
  value: string;
  onChange: (value: string) => void;
};

/** A time of day, HH:MM. */
export function ClockField({ value, onChange, isInvalid, ...rest }: ClockProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      placeholder="18:00"
      maxLength={10}
      aria-invalid={isInvalid || undefined}
      value={typed ?? value}
      onValue={value => {
        setTyped(value);
        onChange(clockFrom(value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

type Props = {
  /** Labels the day; the time of day has a label of its own. */
  label: string;
  hint?: ReactNode;
  error?: string | null;
  isOptional?: boolean;
  /** YYYY-MM-DDTHH:MM. It is empty, or lacks one of the two, while it is typed. */
  value: string;
  onChange: (value: string) => void;
};

/** A day and a time of day. */
export function LocalTime({ value, onChange, ...rest }: Props) {
  const [day = '', clock = ''] = value.split('T');
  const set = (day: string, clock: string) => onChange(day + clock === '' ? '' : `${day}T${clock}`);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-3 max-[18rem]:grid-cols-1">
      <Field
        {...rest}
        type="date"
        // Without it browsers take years of six digits.
        max="9999-12-31"
        value={day}
        onValue={value => set(value, clock)}
      />
      <ClockField
        label={zoneTexts.clock}
        isInvalid={Boolean(rest.error)}
        value={clock}
        onChange={typed => set(day, typed)}
      />
    </div>
  );
}
