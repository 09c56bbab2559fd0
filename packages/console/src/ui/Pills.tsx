type Props<Name extends string> = {
  /** Names the group for assistive technology. */
  label: string;
  name: string;
  names: Readonly<Record<Name, string>>;
  value: Name;
  onChange: (value: Name) => void;
};

/** One choice of a few. */
export function Pills<Name extends string>({ label, name, names, value, onChange }: Props<Name>) {
  return (
    <fieldset aria-label={label} className="flex min-w-0 flex-wrap gap-1.5">
      {(Object.keys(names) as Name[]).map(each => (
        <label
          key={each}
          className="relative inline-flex min-h-10 shrink-0 items-center pointer-coarse:min-h-11 rounded-full border border-edge/60 px-4 text-sm font-semibold whitespace-nowrap hover:bg-well has-checked:border-primary has-checked:bg-primary has-checked:text-on-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            checked={value === each}
            onChange={() => onChange(each)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          {names[each]}
        </label>
      ))}
    </fieldset>
  );
}
