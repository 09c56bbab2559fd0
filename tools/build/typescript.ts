/**
 * The generated sources of `packages/sdk`: the types of records and bodies, and a class for each resource.
 */
import { errorCatalogue } from '@hookline/shared/contracts';
import { scopesText } from '@hookline/shared/contracts/route';
import { scopesByRole } from '@hookline/shared/contracts/scopes';
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

const header = '// Made by "npm run build" from packages/shared/src/contracts: change it there.';
/** The feed's general event has a type for each kind instead. */
const generalEvent = 'Event';
const aboutEvents =
  'An event of the feed or of a webhook. More types may be added: ignore those that you do not know.';
const aboutScopes =
  "What each role may do in a workspace. A key has at most the scopes of its creator's role; viewers create none.";

export function typescriptTypes(model: SdkModel): string {
  const events = eventNames(model);
  const names = new Set([...recordNames(model), ...events, ...eventRecords(model)]);
  names.delete(generalEvent);
  const parts = [...names].sort().map(name => declaration(name, model.schemas[name] ?? {}));
  const queries = model.operations
    .filter(({ query, contract }) => contract.method === 'GET' && query.length > 0)
    .map(operation => queryDeclaration(operation));
  const codes = Object.keys(errorCatalogue).map(code => `'${code}'`);
  return `${[
    header,
    `/** Every code that the API answers with an error. */\nexport type ErrorCode =\n${codes
      .map(code => `  | ${code}`)
      .join('\n')};`,
    ...parts,
    `${docs([aboutEvents])}export type HooklineEvent =\n${events.map(name => `  | ${name}`).join('\n')};`,
    ...queries,
  ].join('\n\n')}\n`;
}

/** The one constant that clients need beside the types: the scopes that each role may give a key. */
export function typescriptScopes(): string {
  const rows = Object.entries(scopesByRole).map(
    ([role, scopes]) => `  ${role}: [${scopes.map(scope => `'${scope}'`).join(', ')}],`,
  );
  return `${header}
import type { CreateKey, Member } from './types.ts';

${docs([aboutScopes])}export const scopesByRole: Readonly<Record<Member['role'], Readonly<CreateKey['scopes']>>> = {
${rows.join('\n')}
};
`;
}

function eventRecords(model: SdkModel): string[] {
  const refs = eventNames(model).map(name => JSON.stringify(model.schemas[name]));
  return refs.flatMap(text => [...text.matchAll(/schemas\/(\w+)"/g)].map(([, name = '']) => name));
}

function declaration(name: string, schema: Schema): string {
  return `export type ${name} = ${typeOf(schema, isClosed(schema))};`;
}

/** Only bodies refuse unknown fields. */
function isClosed(schema: Schema): boolean {
  return schema.additionalProperties === false;
}

/** @param takesUndefined adds `| undefined` to optional fields, which callers may set from variables */
function typeOf(schema: Schema, takesUndefined: boolean): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema);
    return name === generalEvent ? 'HooklineEvent' : name;
  }
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf && !schema.properties) {
    return [...new Set(schema.anyOf.map(option => typeOf(option, takesUndefined)))].join(' | ');
  }
  const kinds = [schema.type ?? []].flat();
  if (kinds.length === 0) return 'unknown';
  return kinds.map(kind => ofKind(kind, schema, takesUndefined)).join(' | ');
}

function ofKind(kind: string, schema: Schema, takesUndefined: boolean): string {
  if (kind === 'null') return 'null';
  if (kind === 'string') return schema.format === 'binary' ? 'Uint8Array' : 'string';
  if (kind === 'integer' || kind === 'number') return 'number';
  if (kind === 'boolean') return 'boolean';
  if (kind === 'array') {
    const item = typeOf(schema.items ?? {}, takesUndefined);
    return /[ |{]/.test(item) ? `Array<${item}>` : `${item}[]`;
  }
  if (!schema.properties) return 'Record<string, unknown>';
  return objectOf(schema, takesUndefined);
}

function objectOf({ properties = {}, required = [] }: Schema, takesUndefined: boolean): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name);
    const type = typeOf(field, takesUndefined);
    const value = isRequired || !takesUndefined ? type : `${type} | undefined`;
    return indent(`${docs([field.description])}${name}${isRequired ? '' : '?'}: ${value};`);
  });
  return `{\n${fields.join('\n')}\n}`;
}

function queryDeclaration(operation: SdkOperation): string {
  return `export type ${queryName(operation)} = ${queryType(operation.query)};`;
}

function queryType(query: readonly Parameter[]): string {
  const fields = query.map(parameter => {
    const type = isFlag(parameter) ? 'boolean' : typeOf(parameter.schema, true);
    const value = parameter.required ? type : `${type} | undefined`;
    return indent(
      `${docs([parameter.description])}${parameter.name}${parameter.required ? '' : '?'}: ${value};`,
    );
  });
  return `{\n${fields.join('\n')}\n}`;
}

function queryName({ contract }: SdkOperation): string {
  return `${capital(contract.id)}Query`;
}

function literal(value: unknown): string {
  return value === null ? 'null' : typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function docs(lines: readonly (string | undefined)[]): string {
  const text = lines.filter(line => line !== undefined && line !== '').join('\n\n');
  if (text === '') return '';
  const escaped = text.replaceAll('*/', '*\\/').split('\n').flatMap(wrapText);
  if (escaped.length === 1) return `/** ${escaped[0]} */\n`;
  return `/**\n${escaped.map(line => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? line : `  ${line}`))
    .join('\n');
}

export function typescriptResources(model: SdkModel): string {
  const groups = new Map<string, SdkOperation[]>();
  for (const operation of model.operations) {
    const name = className(operation);
    groups.set(name, [...(groups.get(name) ?? []), operation]);
  }
  const classes = [...groups].map(([name, operations]) => resourceClass(name, operations));
  const text = classes.join('\n\n');
  const used = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const names = [
    ...recordNames(model).filter(name => name !== generalEvent),
    'HooklineEvent',
    ...model.operations.map(queryName),
  ];
  const imported = [...new Set(names)].filter(used).sort();
  return `${[
    header,
    `import type { Pages } from '../pages.ts';\nimport type { CallOptions, Transport, WriteOptions } from '../transport.ts';\nimport type {\n${imported
      .map(name => `  ${name},`)
      .join('\n')}\n} from './types.ts';`,
    text,
  ].join('\n\n')}\n`;
}

function className({ resource, isForKeys }: SdkOperation): string {
  return `${isForKeys ? '' : 'Session'}${capital(resource)}Resource`;
}

/** Resources of `Hookline`, or of `HooklineSession`, as the fields of its class. */
function resourceFields(model: SdkModel, isForKeys: boolean): [string, string][] {
  const fields = model.operations
    .filter(operation => operation.isForKeys === isForKeys)
    .map(operation => [operation.resource, className(operation)] as const);
  return [...new Map(fields)];
}

/** The two classes that hold the resources, which the clients extend. */
export function typescriptClients(model: SdkModel): string {
  const holder = (name: string, about: string, fields: readonly [string, string][]): string =>
    [
      `/** ${about} */\nexport class ${name} {`,
      ...fields.map(([field, type]) => `  readonly ${field}: resources.${type};`),
      '',
      '  constructor(transport: Transport) {',
      ...fields.map(([field, type]) => `    this.${field} = new resources.${type}(transport);`),
      '  }\n}',
    ].join('\n');
  return `${[
    header,
    `import * as resources from './resources.ts';\nimport type { Transport } from '../transport.ts';`,
    holder('KeyResources', 'What an API key opens.', resourceFields(model, true)),
    holder('SessionResources', 'What a person with a login session does.', resourceFields(model, false)),
  ].join('\n\n')}\n`;
}

function resourceClass(name: string, operations: readonly SdkOperation[]): string {
  return [
    `export class ${name} {\n  protected readonly transport: Transport;\n\n  constructor(transport: Transport) {\n    this.transport = transport;\n  }`,
    ...operations.map(operation => indent(methodText(operation))),
    '}',
  ]
    .join('\n\n')
    .replace(/\n\n\}$/, '\n}');
}

function methodText(operation: SdkOperation): string {
  const { contract, method, answers, pathParameters } = operation;
  const scopes = scopesText(contract);
  const about = docs([
    `${contract.summary}.`,
    contract.description,
    ...(scopes === '' ? [] : [`Scope: ${scopes}.`]),
  ]);
  const ids = pathParameters.map(({ name }) => `${name}: string`);
  const path = `\`${contract.path.replaceAll(/\{(\w+)\}/g, (_, name) => `\${encodeURIComponent(${name})}`)}\``;
  const literalPath = pathParameters.length === 0 ? `'${contract.path}'` : path;
  const result = typeOf(answers.schema, false);
  if (answers.kind === 'page') {
    const args = [...ids, `query: ${queryName(operation)} = {}`, 'options: CallOptions = {}'];
    return `${about}${method}(${args.join(', ')}): Pages<${result}> {\n  return this.transport.list(${literalPath}, query, '${answers.cursor}', options);\n}`;
  }
  const type = answers.kind === 'rows' ? (/[ |{]/.test(result) ? `Array<${result}>` : `${result}[]`) : result;
  const hasQuery = operation.query.length > 0;
  const isGet = contract.method === 'GET';
  const baseOptions = operation.takesKey ? 'WriteOptions' : 'CallOptions';
  const optionsType = hasQuery && !isGet ? `${baseOptions} & ${inline(operation.query)}` : baseOptions;
  const args = [
    ...ids,
    ...(operation.body
      ? [operation.isBodyOptional ? `body: ${operation.body} = {}` : `body: ${operation.body}`]
      : []),
    ...(operation.isUpload ? ['file: Blob | Uint8Array'] : []),
    ...(hasQuery && isGet ? [`query: ${queryName(operation)} = {}`] : []),
    `options: ${optionsType} = {}`,
  ];
  const extras = [
    ...(operation.body ? ['body'] : []),
    ...(operation.isUpload ? ['file'] : []),
    ...(hasQuery
      ? [isGet ? 'query' : `query: { ${operation.query.map(({ name }) => `${name}: options.${name}`)} }`]
      : []),
    ...(operation.takesKey ? ['takesKey: true'] : []),
  ];
  const request = extras.length === 0 ? '{}' : `{ ${extras.join(', ')} }`;
  const call = `return this.transport.send('${contract.method}', ${literalPath}, ${request}, options);`;
  const overloads =
    contract.dryRunStatus === undefined
      ? ''
      : `${method}(${args.slice(0, -1).join(', ')}, options?: ${baseOptions} & { dryRun?: false | undefined }): Promise<${type} & { id: string }>;\n${method}(${args.slice(0, -1).join(', ')}, options: ${optionsType}): Promise<${type}>;\n`;
  return `${about}${overloads}${method}(${args.join(', ')}): Promise<${type}> {\n  ${call}\n}`;
}

function inline(query: readonly Parameter[]): string {
  return `{ ${query
    .map(
      parameter =>
        `${parameter.name}?: ${isFlag(parameter) ? 'boolean' : typeOf(parameter.schema, true)} | undefined`,
    )
    .join('; ')} }`;
}
