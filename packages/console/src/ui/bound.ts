/** @returns value and change of a field that shows one text of a draft */
export function bound<Draft extends object>(draft: Draft, change: (part: Partial<Draft>) => void) {
  return (name: { [Key in keyof Draft]: Draft[Key] extends string ? Key : never }[keyof Draft]) => ({
    value: draft[name] as string,
    onChange: ({ target }: { target: { value: string } }) =>
      change({ [name]: target.value } as unknown as Partial<Draft>),
  });
}
