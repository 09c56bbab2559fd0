/**
 * The generated sources of `packages/sdk-python`: a TypedDict for each record, and a class for each resource.
 */
import { errorCatalogue } from '@hookline/shared/contracts';
import { type NamedRoute, scopesText } from '@hookline/shared/contracts/route';
import {
  capital,
  eventNames,
  isFlag,
  nameOf,
  type Parameter,
  recordNames,
  type Schema,
  type SdkModel,
  type SdkOperation,
} from './model.ts';
import { wrapText } from './wrap-text.ts';

const header = '# Made by "npm run build" from packages/shared/src/contracts: change it there.';
/** The feed's general event has a type for each kind instead. */
const generalEvent = 'Event';
const typingNames = ['Any', 'BinaryIO', 'Literal', 'NotRequired', 'TypedDict'];
/** Words that are no names in Python. */
const reserved = [
  'from',
  'in',
  'is',
  'and',
  'or',
  'not',
  'class',
  'def',
  'for',
  'if',
  'import',
  'pass',
  'with',
];

export function pythonTypes(model: SdkModel): string {
  const names = namesOf(model);
  const classes: string[] = [];
  for (const name of names) declare(name, model.schemas[name] ?? {}, classes);
  const codes = Object.keys(errorCatalogue).map(code => `    "${code}",`);
  const events = eventNames(model).map(name => `    "${name}",`);
  return `${[
    `${header}\nfrom __future__ import annotations`,
    'from typing import Any, Literal, NotRequired, TypedDict, Union',
    `ErrorCode = Literal[\n${codes.join('\n')}\n]\n"""Every code that the API answers with an error."""`,
    ...classes.map(text => text.replaceAll('builtins.list', 'list')),
    `HooklineEvent = Union[\n${events.join('\n')}\n]\n"""An event of the feed or of a webhook. More types may be added: ignore those that you do not know."""`,
  ].join('\n\n\n')}\n`;
}

/** Records, and what bodies refer to; a body that nothing refers to is keyword arguments. */
function namesOf(model: SdkModel): string[] {
  const bodies = new Set(model.operations.map(({ body }) => body));
  const referring = JSON.stringify(model.schemas);
  const isTyped = (name: string) => !bodies.has(name) || referring.includes(`/${name}"`);
  const records = recordNames(model).filter(name => name !== generalEvent && isTyped(name));
  return [...new Set([...records, ...eventNames(model), 'ContentReference', 'ScheduleReference'])].sort();
}

/** Adds the class, after those of the objects in it. */
function declare(name: string, schema: Schema, classes: string[]): void {
  const { properties = {}, required = [] } = schema;
  const lines = Object.entries(properties).map(([field, value]) => {
    const type = typeOf(value, `${name}${capital(field)}`, classes);
    const shown = required.includes(field) ? type : `NotRequired[${type}]`;
    return `    ${field}: ${shown}${value.description ? `\n    """${wrapText(oneLine(value.description)).join('\n    ')}"""` : ''}`;
  });
  classes.push(`class ${name}(TypedDict):\n${lines.join('\n') || '    pass'}`);
}

function typeOf(schema: Schema, innerName: string, classes: string[] | null): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema);
    return name === generalEvent ? 'HooklineEvent' : name;
  }
  if ('const' in schema) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (schema.anyOf && !schema.properties) {
    const options = schema.anyOf.map(option => typeOf(option, innerName, classes));
    return [...new Set(options)].join(' | ');
  }
  const kinds = [schema.type ?? []].flat();
  if (kinds.length === 0) return 'Any';
  return kinds.map(kind => ofKind(kind, schema, innerName, classes)).join(' | ');
}

function ofKind(kind: string, schema: Schema, innerName: string, classes: string[] | null): string {
  if (kind === 'null') return 'None';
  if (kind === 'string') return schema.format === 'binary' ? 'bytes' : 'str';
  if (kind === 'integer') return 'int';
  if (kind === 'number') return 'float';
  if (kind === 'boolean') return 'bool';
  if (kind === 'array') return `builtins.list[${typeOf(schema.items ?? {}, innerName, classes)}]`;
  if (!schema.properties) return 'dict[str, Any]';
  if (classes) declare(innerName, schema, classes);
  return innerName;
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function oneLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
}

/** `tiktokAccountId` becomes `tiktok_account_id`. */
function snake(name: string): string {
  const text = name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  return reserved.includes(text) ? `${text}_` : text;
}

export function pythonResources(model: SdkModel): string {
  const groups = new Map<string, SdkOperation[]>();
  for (const operation of model.operations) {
    const name = className(operation);
    groups.set(name, [...(groups.get(name) ?? []), operation]);
  }
  const extra: string[] = [];
  const classes = [...groups].flatMap(([name, operations]) => [
    resourceClass(name, operations, model, false, extra),
    resourceClass(`Async${name}`, operations, model, true, null),
  ]);
  const holders = [false, true].flatMap(isAsync =>
    [true, false].map(isForKeys => holder(model, isForKeys, isAsync)),
  );
  const text = [...extra, ...classes].join('\n');
  const names = [...namesOf(model), 'HooklineEvent'].filter(name => new RegExp(`\\b${name}\\b`).test(text));
  return `${[
    `${header}\nfrom __future__ import annotations`,
    [
      'import builtins',
      `from typing import ${typingNames.filter(name => new RegExp(`\\b${name}\\b`).test(text)).join(', ')}`,
      '',
      'from ._core import NOT_GIVEN, NotGiven, segment',
      'from ._pages import AsyncPages, Pages',
      'from ._transport import AsyncTransport, Transport',
      `from .types import (\n${[...new Set(names)]
        .sort()
        .map(name => `    ${name},`)
        .join('\n')}\n)`,
    ].join('\n'),
    ...extra,
    ...classes,
    ...holders,
  ].join('\n\n\n')}\n`;
}

function className({ resource, isForKeys }: SdkOperation): string {
  return `${isForKeys ? '' : 'Session'}${capital(resource)}Resource`;
}

function holder(model: SdkModel, isForKeys: boolean, isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : '';
  const fields = new Map(
    model.operations
      .filter(operation => operation.isForKeys === isForKeys)
      .map(operation => [operation.resource, className(operation)]),
  );
  return [
    `class ${prefix}${isForKeys ? 'Key' : 'Session'}Resources:`,
    `    """${isForKeys ? 'What an API key opens.' : 'What a person with a login session does.'}"""`,
    '',
    `    def __init__(self, transport: ${prefix}Transport) -> None:`,
    ...[...fields].map(([field, name]) => `        self.${field} = ${prefix}${name}(transport)`),
  ].join('\n');
}

function resourceClass(
  name: string,
  operations: readonly SdkOperation[],
  model: SdkModel,
  isAsync: boolean,
  extra: string[] | null,
): string {
  const transport = isAsync ? 'AsyncTransport' : 'Transport';
  return [
    `class ${name}:\n    def __init__(self, transport: ${transport}) -> None:\n        self._transport = transport`,
    ...operations.map(operation => methodText(operation, model, isAsync, extra)),
  ].join('\n\n');
}

type Argument = { wire: string; text: string };

function methodText(
  operation: SdkOperation,
  model: SdkModel,
  isAsync: boolean,
  extra: string[] | null,
): string {
  const { contract, method, answers, pathParameters, query } = operation;
  const inner = (field: string): string => `${capital(contract.id)}${capital(field)}`;
  const body = operation.body === undefined ? undefined : model.schemas[operation.body];
  const bodyArguments = Object.entries(body?.properties ?? {}).map(([field, schema]) =>
    argument(field, typeOf(schema, inner(field), extra), (body?.required ?? []).includes(field)),
  );
  const isPage = answers.kind === 'page';
  const queryArguments = query.map(parameter =>
    argument(parameter.name, queryType(parameter), parameter.required),
  );
  const ids = pathParameters.map(({ name }) => `${snake(name)}: str`);
  const options = [
    ...(operation.takesKey ? ['idempotency_key: str | None = None'] : []),
    'timeout: float | None = None',
    'max_retries: int | None = None',
  ];
  const keywords = [...bodyArguments, ...queryArguments].map(({ text }) => text);
  const parameters = [
    'self',
    ...ids,
    ...(operation.isUpload ? ['file: bytes | BinaryIO'] : []),
    '*',
    ...keywords.filter(text => !text.includes(' = ')),
    ...keywords.filter(text => text.includes(' = ')),
    ...options,
  ];
  const record = typeOf(answers.schema, '', null);
  const type =
    answers.kind === 'page'
      ? `${isAsync ? 'AsyncPages' : 'Pages'}[${record}]`
      : answers.kind === 'rows'
        ? `builtins.list[${record}]`
        : record;
  const path = pathParameters.reduce(
    (text, { name }) => text.replace(`{${name}}`, `{segment(${snake(name)})}`),
    contract.path,
  );
  const call = [
    ...(isPage ? [] : [`"${contract.method}"`]),
    pathParameters.length > 0 ? `f"${path}"` : `"${path}"`,
    ...(bodyArguments.length > 0 || operation.body ? [`body=${dictOf(bodyArguments)}`] : []),
    ...(isPage || queryArguments.length > 0 ? [`query=${dictOf(queryArguments)}`] : []),
    ...(operation.isUpload ? ['file=file'] : []),
    ...(isPage ? [`cursor_name="${answers.cursor}"`] : []),
    ...(operation.takesKey ? ['takes_key=True', 'idempotency_key=idempotency_key'] : []),
    'timeout=timeout',
    'max_retries=max_retries',
  ];
  const send = `self._transport.${isPage ? 'pages' : 'send'}(\n${call.map(line => `            ${line},`).join('\n')}\n        )`;
  const docs = [contract.summary, '', ...wrapText(contract.description), ...scopeLines(contract)];
  return [
    `    ${isAsync && !isPage ? 'async ' : ''}def ${snake(method)}(`,
    ...parameters.map(parameter => `        ${parameter},`),
    `    ) -> ${type}:`,
    `        """${oneLine(docs[0] ?? '')}.`,
    ...docs.slice(1).map(line => (line === '' ? '' : `        ${oneLine(line)}`)),
    '        """',
    `        result: ${type} = ${isAsync && !isPage ? 'await ' : ''}${send}`,
    '        return result',
  ].join('\n');
}

function argument(wire: string, type: string, isRequired: boolean): Argument {
  const name = snake(wire);
  return { wire, text: isRequired ? `${name}: ${type}` : `${name}: ${type} | NotGiven = NOT_GIVEN` };
}

function queryType(parameter: Parameter): string {
  return isFlag(parameter) ? 'bool' : typeOf(parameter.schema, '', null);
}

function dictOf(fields: readonly Argument[]): string {
  return `{${fields.map(({ wire }) => `"${wire}": ${snake(wire)}`).join(', ')}}`;
}

function scopeLines(contract: NamedRoute): string[] {
  return contract.scopes.length === 0 ? [] : ['', `Scope: ${scopesText(contract)}.`];
}
