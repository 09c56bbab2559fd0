import { type ComponentProps, type ReactNode, useId } from 'react';
import { texts } from '../texts/shell.ts';

type Shared = {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  isOptional?: boolean;
  /** Its value says what it is. */
  isLabelHidden?: boolean;
  onValue?: ((value: string) => void) | undefined;
};

const look =
  'w-full rounded-control border border-edge bg-sheet px-3 py-2.5 text-base text-ink placeholder:text-soft aria-invalid:border-float';

function Frame({
  id,
  label,
  hint,
  error,
  isOptional,
  isLabelHidden,
  children,
}: Omit<Shared, 'onValue'> & { id: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1.5">
      <div className={isLabelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {isOptional && <span className="text-xs text-soft">{texts.common.optional}</span>}
      </div>
      {children}
      {hint && !error && (
        <div id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-hint`} role="alert" className="text-sm font-medium text-float-ink">
          {error}
        </p>
      )}
    </div>
  );
}

type Given = { id?: string | undefined; className?: string | undefined };

/** What goes to the frame, and every other attribute, which goes to the control. */
function useFrame<Control extends Given>(given: Shared & Control) {
  const { label, hint, error, isOptional = false, isLabelHidden = false, onValue, ...rest } = given;
  const made = useId();
  const id = rest.id ?? made;
  const control = {
    ...(rest as unknown as Control),
    id,
    'aria-describedby': hint || error ? `${id}-hint` : undefined,
    'aria-invalid': error ? (true as const) : undefined,
    className: `${look} ${rest.className ?? ''}`,
    ...(onValue && { onChange: ({ target }: { target: { value: string } }) => onValue(target.value) }),
  };
  return { frame: { id, label, hint, error, isOptional, isLabelHidden }, control };
}

/** A labelled text input. */
export function Field({ className = '', ...given }: Shared & ComponentProps<'input'>) {
  const { frame, control } = useFrame({ ...given, className: `min-h-11 ${className}` });
  return (
    <Frame {...frame}>
      <input dir="auto" {...control} />
    </Frame>
  );
}

export function TextArea({ className = '', ...given }: Shared & ComponentProps<'textarea'>) {
  const size = 'field-sizing-content max-h-80 min-h-16 resize-y';
  const { frame, control } = useFrame({ ...given, className: `${size} ${className}` });
  return (
    <Frame {...frame}>
      <textarea dir="auto" rows={3} {...control} />
    </Frame>
  );
}

type SelectProps = Shared &
  ComponentProps<'select'> & {
    /** The name of the choice of nothing, which comes first. */
    none?: string;
    /** Values and their names. */
    options?: readonly (readonly [value: string | number, name: string | undefined])[] | undefined;
  };

export function Select({ className = '', none, options = [], children, ...given }: SelectProps) {
  const { frame, control } = useFrame({ ...given, className: `min-h-11 ${className}` });
  return (
    <Frame {...frame}>
      <select {...control}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {children}
      </select>
    </Frame>
  );
}

type ChoiceProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: string;
  hint?: ReactNode;
  onCheck?: ((isOn: boolean) => void) | undefined;
};

function Choice({
  type,
  label,
  hint,
  className = '',
  onCheck,
  ...rest
}: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  const id = useId();
  return (
    <div className={`flex items-start gap-3 ${className}`}>
      <input
        {...(onCheck && { onChange: ({ target }) => onCheck(target.checked) })}
        {...rest}
        type={type}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-6 shrink-0 accent-go pointer-coarse:mt-2.5"
      />
      <div>
        <label htmlFor={id} dir="auto" className="block font-medium pointer-coarse:py-2.5">
          {label}
        </label>
        {hint && (
          <div id={`${id}-hint`} className="text-sm text-soft pointer-coarse:-mt-2">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}

export function Checkbox(props: ChoiceProps) {
  return <Choice {...props} type="checkbox" />;
}

export function Radio(props: ChoiceProps) {
  return <Choice {...props} type="radio" />;
}

export function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-semibold">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** Any number of options. */
export function Choices({
  legend,
  options,
  chosen,
  onChange,
  disabled = false,
}: {
  legend: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  disabled?: boolean;
}) {
  if (options.length === 0) return null;
  return (
    <Group legend={legend}>
      {options.map(({ value, label }) => (
        <Checkbox
          key={value}
          label={label}
          disabled={disabled}
          checked={chosen.includes(value)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, value] : chosen.filter(one => one !== value))
          }
        />
      ))}
    </Group>
  );
}
