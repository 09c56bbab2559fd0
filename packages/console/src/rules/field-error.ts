/** `param`: the path of the field that is wrong. */
type Refusal = { message: string; param?: string | null };

/**
 * What a refusal says of a field of a form.
 * @param labels of the fields, by the path that the API has for them or for what contains them
 */
export function fieldErrors<Path extends string>(
  error: Refusal | null,
  labels: Readonly<Record<Path, string>>,
): Partial<Record<Path, string>> {
  const param = error?.param ?? '';
  const path = (Object.keys(labels) as Path[]).find(
    known => param === known || ['.', '['].some(next => param.startsWith(known + next)),
  );
  if (!error || path === undefined) return {};
  const place = /\[(\d+)\]/.exec(param)?.[1];
  const at = place === undefined ? '' : ` ${Number(place) + 1}`;
  const said = error.message.slice(param.length);
  return { [path]: `${labels[path]}${at}${said}` } as Partial<Record<Path, string>>;
}
