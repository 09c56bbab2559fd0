import { z } from 'zod';
import { invalidRequest } from '../contracts/index.ts';

type Issue = {
  code?: string;
  path: PropertyKey[];
  message: string;
  keys?: string[];
  /** The complaints of each option of a union, with paths relative to the union. */
  errors?: Issue[][];
};

/** A compiled schema: `check` throws `invalid_request` whose message names the field by its path. */
export type Checker<T> = (value: unknown) => T;

/**
 * Compiles a schema at the first value (about five times faster than the runtime parse; it falls back
 * automatically): those of all routes take 90 ms, which would be part of every start.
 * @param root name of the whole value in errors, e.g. `body`
 */
export function checker<S extends z.ZodType>(schema: S, root: string): Checker<z.output<S>> {
  let compiled: ReturnType<typeof z.compile<S>> | undefined;
  let knownFields: KnownField[] | undefined;
  return value => {
    compiled ??= z.compile(schema);
    const result = compiled.safeParse(value);
    if (result.success) return result.data as z.output<S>;
    knownFields ??= collectFields(schema);
    throw invalidRequest(describe(result.error.issues as Issue[], value, root, knownFields));
  };
}

function describe(issues: Issue[], value: unknown, root: string, knownFields: readonly KnownField[]): string {
  const issue = firstToTell(issues);
  if (!issue) return `${root} is malformed`;
  const path = formatPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknown = printable(issue.keys?.[0] ?? '');
    const near = nearest(unknown, path.replaceAll(/\[\d+\]/g, '[]'), knownFields);
    const field = path ? `${path}.${unknown}` : unknown;
    return `${field} is not a known field${near ? `; did you mean ${near}?` : ''}`;
  }
  const subject = path || root;
  const isMissing = issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  return isMissing ? `${subject} is required and ${issue.message}` : `${subject} ${issue.message}`;
}

function firstToTell(issues: readonly Issue[]): Issue | undefined {
  // A misspelled field is reported before the missing one that it caused.
  const issue = issues.find(candidate => candidate.code === 'unrecognized_keys') ?? issues[0];
  return issue && nearestOption(issue);
}

/** For a union without its own message: the issues of the option closest to the value. */
function nearestOption(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue;
  const options = (issue.errors ?? []).toSorted((left, right) => left.length - right.length);
  const inner = options[0] && firstToTell(options[0]);
  if (!inner) return issue;
  if (inner.path.length > 0) return { ...inner, path: [...issue.path, ...inner.path] };
  const ofWhole = options.flatMap(option => option.filter(({ path }) => path.length === 0));
  const message = [...new Set(ofWhole.map(one => one.message))].join(' or ');
  return { ...inner, path: issue.path, message };
}

function formatPath(path: PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text ? '.' : ''}${printable(String(part))}`;
  }
  return text;
}

/** A name that a caller made up, for a message: a log line and a terminal must not obey it. */
function printable(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '\ufffd');
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[part];
  }
  return current;
}

/**
 * A field that the schema declares; `parent` is the path of its object, items of lists as `[]`, `` for the
 * root.
 */
type KnownField = { name: string; parent: string };

function collectFields(schema: z.ZodType): KnownField[] {
  const fields = new Map<string, KnownField>();
  const visit = (node: unknown, path: string, depth: number): void => {
    if (depth > 8 || typeof node !== 'object' || node === null) return;
    const definition = (node as { def?: Record<string, unknown> }).def;
    if (!definition) return;
    const shape = definition.shape as Record<string, unknown> | undefined;
    for (const [name, child] of Object.entries(shape ?? {})) {
      const own = path ? `${path}.${name}` : name;
      fields.set(own, { name, parent: path });
      visit(child, own, depth + 1);
    }
    for (const inner of ['innerType', 'in', 'out']) visit(definition[inner], path, depth + 1);
    visit(definition.element, `${path}[]`, depth + 1);
    for (const option of (definition.options as unknown[] | undefined) ?? []) visit(option, path, depth + 1);
  };
  visit(schema, '', 0);
  return [...fields.values()];
}

/**
 * The declared field at an edit distance of at most 2 (case ignored), or null. Fields of the same object come
 * first; others are named with their whole path. Otherwise those of the same object that consist of the same
 * words, such as `tiktokAccountId` for `accountId`.
 */
function nearest(unknown: string, parent: string, known: readonly KnownField[]): string | null {
  const wanted = unknown.slice(0, 64).toLowerCase();
  let best: { field: KnownField; distance: number } | null = null;
  for (const field of known.toSorted((left, right) => rank(left) - rank(right))) {
    const distance = editDistance(wanted, field.name.toLowerCase());
    if (distance <= Math.min(2, field.name.length / 3) && (!best || distance < best.distance)) {
      best = { field, distance };
    }
  }
  if (!best) return withTheSameWords(unknown, parent, known);
  const { field } = best;
  return field.parent === parent || field.parent === '' ? field.name : `${field.parent}.${field.name}`;

  function rank(field: KnownField): number {
    return field.parent === parent ? 0 : 1;
  }
}

function withTheSameWords(unknown: string, parent: string, known: readonly KnownField[]): string | null {
  const wanted = wordsOf(unknown);
  const found = known.filter(field => {
    const own = wordsOf(field.name);
    return field.parent === parent && (includesWords(own, wanted) || includesWords(wanted, own));
  });
  return found.length > 2 ? null : found.map(({ name }) => name).join(' or ') || null;
}

function wordsOf(name: string): string[] {
  const words = name.slice(0, 64).split(/(?=[A-Z])|[\W_]+/);
  return words.filter(word => word !== '').map(word => word.toLowerCase());
}

/** A word counts as another that it begins, such as `post` as `posting`. */
function includesWords(all: readonly string[], some: readonly string[]): boolean {
  const isSame = (left: string, right: string): boolean =>
    left === right ||
    (Math.min(left.length, right.length) > 2 && (left.startsWith(right) || right.startsWith(left)));
  return some.length > 0 && some.every(word => all.some(other => isSame(word, other)));
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, substitution));
    }
    previous = current;
  }
  return previous[right.length]!;
}
