/** The parameters of the n8n node, and where each goes in a request; they follow from the contracts. */
import type { NamedRoute } from '@hookline/shared/contracts/route';
import { publicEventTypes } from '@hookline/shared/contracts/webhooks';
import { isFlag, nameOf, type Parameter, type Schema, type SdkOperation, sdkModel } from '../build/model.ts';

/** How n8n hands over the value of a parameter; see `sent` in calls.ts. */
type Kind = 'plain' | 'time' | 'rows' | 'count' | 'json';
type Field = {
  name: string;
  in: 'path' | 'query' | 'body';
  to: string[];
  kind: Kind;
  optional?: Record<string, Kind>;
  from?: string;
};
type Property = Record<string, unknown> & { displayName: string; name: string };

/**
 * Optional fields that stand beside the required ones: without them most calls of the
 * operation make no sense.
 */
const shownFirst: Readonly<Record<string, readonly string[]>> = {
  createApp: ['name', 'appStoreUrl'],
  createContent: ['brief.topic', 'brief.templateId'],
  createSchedule: ['scheduledFor', 'mode'],
  approveContent: ['version'],
  rejectContent: ['version', 'reason'],
  requestChanges: ['version'],
};

/** What a field starts with where the API's own default is not the useful one. */
const startsWith: Readonly<Record<string, string>> = { 'createContent.brief.templateId': 'quote-card' };

const emptyNames: Readonly<Record<string, string>> = {
  'createContent.brief.templateId': 'None (Texts Only)',
};

/** Parameters that n8n fills from a list of the account. */
const lists: Readonly<Record<string, string>> = { appId: 'listApps', tiktokAccountId: 'listAccounts' };

const words: Readonly<Record<string, string>> = {
  id: 'ID',
  ids: 'IDs',
  url: 'URL',
  urls: 'URLs',
  tiktok: 'TikTok',
  cta: 'CTA',
  ai: 'AI',
  timezone: 'Time Zone',
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
  hashtags: 'Hashtags',
  pov: 'POV',
};

const small = new Set(['a', 'an', 'and', 'by', 'for', 'from', 'in', 'of', 'or', 'the', 'to', 'with']);

export type N8nOperation = {
  method: string;
  path: string;
  answers: 'record' | 'rows' | 'page';
  cursor?: string;
  takesKey?: true;
  isUpload?: true;
  waits?: true;
  fields: Field[];
};

export function n8nOperations(): { operations: Record<string, N8nOperation>; properties: Property[] } {
  const model = sdkModel();
  const operations = model.operations.filter(({ isForKeys, contract }) => isForKeys && !contract.produces);
  const made = operations.map(operation => propertiesOf(operation, model.schemas));
  const resources = [...new Set(operations.map(({ resource }) => resource))].sort();
  const table: Record<string, N8nOperation> = Object.fromEntries(
    operations.map((operation, index) => [
      `${singular(operation.resource)}.${operationValue(operation)}`,
      {
        method: operation.contract.method,
        path: operation.contract.path,
        answers: operation.answers.kind,
        ...(operation.answers.cursor === undefined ? {} : { cursor: operation.answers.cursor }),
        ...(operation.takesKey ? { takesKey: true as const } : {}),
        ...(operation.isUpload ? { isUpload: true as const } : {}),
        ...(operation.contract.id === 'createContent' ? { waits: true as const } : {}),
        fields: made[index]?.fields ?? [],
      },
    ]),
  );
  const properties = [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map(name => ({ name: resourceTitle(name), value: singular(name) })),
      default: 'content',
    },
    ...resources.map(resource => operationsProperty(operations.filter(one => one.resource === resource))),
    ...made.flatMap(({ properties: own }) => own),
  ];
  return { operations: table, properties };
}

/** The text of `nodes/Hookline/operations.ts`, which `npm run n8n` writes before it builds the package. */
export function n8nSource(): string {
  const { operations, properties } = n8nOperations();
  return `import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Operation } from './calls';

/** By resource and operation: the request of each. */
export const operations: Readonly<Record<string, Operation>> = ${JSON.stringify(operations)};

export const properties: INodeProperties[] = ${JSON.stringify(properties)};

export const eventOptions: INodePropertyOptions[] = ${JSON.stringify(publicEventTypes.map(eventOption).sort(byName))};
`;
}

const eventOption = (type: string): { name: string; value: string } => ({ name: title(type), value: type });

function scopeOf({ scopes, anyScope }: NamedRoute): string[] {
  return scopes.length === 0 ? [] : [`Scope: ${scopes.join(anyScope ? ' or ' : ' and ')}`];
}

function operationsProperty(operations: readonly SdkOperation[]): Property {
  const resource = singular(operations[0]?.resource ?? '');
  const options = operations.map(operation => ({
    name: operationTitle(operation),
    value: operationValue(operation),
    description: sentence([operation.contract.summary, ...scopeOf(operation.contract)].join('. ')),
    action: action(operation.contract.summary),
  }));
  options.sort(byName);
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: (options.find(({ value }) => value === 'create' || value === 'get') ?? options[0])?.value,
  };
}

/** The parameters of one operation, and where each of them goes. */
function propertiesOf(
  operation: SdkOperation,
  schemas: Record<string, Schema>,
): { properties: Property[]; fields: Field[] } {
  const { contract, pathParameters, query, body, answers } = operation;
  const show = { resource: [singular(operation.resource)], operation: [operationValue(operation)] };
  const always: Property[] = [];
  const optional: Property[] = [];
  const fields: Field[] = [];
  const group =
    contract.method === 'PATCH' ? 'updateFields' : answers.kind === 'page' ? 'filters' : 'options';

  const add = (field: Field, property: Property, isRequired: boolean, isFirst: boolean): void => {
    if (isRequired || isFirst) always.push({ ...property, ...(isRequired ? { required: true } : {}) });
    else optional.push(property);
    fields.push(isRequired || isFirst ? field : { ...field, from: group });
  };

  for (const parameter of pathParameters) {
    const name = parameter.name === 'id' ? `${singular(operation.resource)}Id` : parameter.name;
    add({ name, in: 'path', to: [parameter.name], kind: 'plain' }, textProperty(name, {}), true, false);
  }
  for (const parameter of query.filter(({ name }) => !['limit', 'cursor'].includes(name))) {
    const property = propertyOf(parameter.name, schemaOf(parameter), schemas);
    const kind = kindOf(parameter.schema);
    add(
      { name: parameter.name, in: 'query', to: [parameter.name], kind },
      property,
      parameter.required,
      false,
    );
  }
  for (const { path, schema, isRequired } of bodyFields(body, schemas)) {
    const name = camel(path);
    const key = `${contract.id}.${path.join('.')}`;
    const isFirst = shownFirst[contract.id]?.includes(path.join('.')) ?? false;
    const property = propertyOf(name, schema, schemas);
    if (isFirst && !isRequired) addDefault(property, emptyNames[key]);
    if (isFirst && property.type === 'number') {
      // Empty means "not given", and a number cannot be empty.
      property.default = 0;
      delete property.typeOptions;
    }
    if (startsWith[key] !== undefined) property.default = startsWith[key];
    const kind = isFirst && property.type === 'number' ? 'count' : kindOf(schema);
    const optional = kind === 'rows' ? { optional: optionalOfRow(schema, schemas) } : {};
    add({ name, in: 'body', to: path, kind, ...optional }, property, isRequired, isFirst);
  }
  if (answers.kind === 'page') always.push(...pageProperties());
  else if (query.some(({ name }) => name === 'limit')) {
    always.push(limitProperty());
    fields.push({ name: 'limit', in: 'query', to: ['limit'], kind: 'plain' });
  }
  if (operation.isUpload) always.push(uploadProperty());
  if (contract.id === 'createContent') always.push(waitProperty());
  const clearable = contract.method === 'PATCH' ? nullablePaths(body, schemas) : [];
  if (clearable.length > 0) optional.push(optionsProperty('clear', 'multiOptions', clearable, {}));
  if (optional.length > 0) always.push(collection(group, optional));
  if (operation.takesKey) always.push(keyProperty());
  return {
    properties: always.map(property => withShow(property, show)),
    fields,
  };
}

const withShow = (property: Property, show: object): Property => {
  const own = (property.displayOptions as { show?: object } | undefined)?.show;
  return { ...property, displayOptions: { show: { ...show, ...own } } };
};

/** Fields of a body, those of an object within it one by one. */
function bodyFields(
  body: string | undefined,
  schemas: Record<string, Schema>,
): { path: string[]; schema: Schema; isRequired: boolean }[] {
  const root = body === undefined ? undefined : schemas[body];
  const required = root?.required ?? [];
  return Object.entries(root?.properties ?? {}).flatMap(([name, given]) => {
    const schema = plain(given, schemas);
    if (schema.properties === undefined) {
      return [{ path: [name], schema, isRequired: required.includes(name) }];
    }
    return Object.entries(schema.properties).map(([inner, value]) => ({
      path: [name, inner],
      schema: plain(value, schemas),
      isRequired: false,
    }));
  });
}

/** The fields of a body that null clears, those of an object within it as `object.field`. */
function nullablePaths(body: string | undefined, schemas: Record<string, Schema>, before = ''): string[] {
  return Object.entries(schemas[body ?? '']?.properties ?? {}).flatMap(([name, schema]) => {
    const options = [schema, ...(schema.anyOf ?? [])];
    const inner = options.find(option => option.$ref !== undefined);
    return [
      ...(options.some(({ type }) => [type].flat().includes('null')) ? [before + name] : []),
      ...(inner && before === '' ? nullablePaths(nameOf(inner), schemas, `${name}.`) : []),
    ];
  });
}

/** The schema behind a reference and without `null`. */
function plain(schema: Schema, schemas: Record<string, Schema>): Schema {
  if (schema.$ref !== undefined) return plain(schemas[nameOf(schema)] ?? {}, schemas);
  const some = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (some?.length === 1) {
    const inner = plain(some[0] as Schema, schemas);
    return { ...inner, ...(schema.description === undefined ? {} : { description: schema.description }) };
  }
  const types = [schema.type].flat().filter(type => type !== 'null');
  const values = schema.enum?.filter(value => value !== null);
  return {
    ...schema,
    ...(types[0] === undefined ? {} : { type: types[0] }),
    ...(values === undefined ? {} : { enum: values }),
  };
}

function schemaOf(parameter: Parameter): Schema {
  const { description } = parameter;
  const schema: Schema = isFlag(parameter) ? { type: 'boolean' } : parameter.schema;
  return { ...schema, ...(description === undefined ? {} : { description }) };
}

function kindOf(schema: Schema & { format?: string }): Kind {
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'object') return 'json';
  const items = schema.items;
  return items !== undefined && (items.$ref !== undefined || items.properties !== undefined)
    ? 'rows'
    : 'plain';
}

/** The fields that a row of the list may leave out. */
function optionalOfRow({ items }: Schema, schemas: Record<string, Schema>): Record<string, Kind> {
  const { properties = {}, required = [] } = plain(items ?? {}, schemas);
  const optional = Object.entries(properties).filter(([name]) => !required.includes(name));
  return Object.fromEntries(optional.map(([name, schema]) => [name, kindOf(plain(schema, schemas))]));
}

/** A choice that leaves the field out; n8n begins with it. */
function addDefault(property: Property, name = 'Default'): void {
  if (property.type !== 'options' || !Array.isArray(property.options)) return;
  property.options = [{ name, value: '' }, ...property.options].sort(byName);
  property.default = '';
}

function propertyOf(
  name: string,
  schema: Schema & { format?: string; minimum?: number; maximum?: number; examples?: unknown[] },
  schemas: Record<string, Schema>,
): Property {
  const about = description(schema.description);
  const list = lists[name];
  if (list !== undefined) return listProperty(name, list);
  if (schema.enum !== undefined) return optionsProperty(name, 'options', schema.enum as string[], about);
  const items = schema.items === undefined ? undefined : plain(schema.items, schemas);
  if (items?.enum !== undefined) return optionsProperty(name, 'multiOptions', items.enum as string[], about);
  if (items?.properties !== undefined) {
    const values = Object.entries(items.properties).map(([inner, value]) => {
      const property = propertyOf(inner, plain(value, schemas), schemas);
      if (!items.required?.includes(inner)) addDefault(property);
      return property;
    });
    return property(
      name,
      'fixedCollection',
      {},
      {
        typeOptions: { multipleValues: true },
        placeholder: `Add ${title(name).replace(/s$/, '')}`,
        ...about,
        options: [{ displayName: 'Rows', name: 'rows', values: values.sort(byDisplayName) }],
      },
    );
  }
  if (items !== undefined) {
    const type = /colou?rs$/i.test(name) ? 'color' : 'string';
    return property(name, type, [], { typeOptions: { multipleValues: true }, ...about });
  }
  if (schema.type === 'boolean') {
    const whether = `Whether to ${lowerFirst(title(name)).toLowerCase()}`;
    return property(name, 'boolean', false, { description: booleans[name] ?? whether });
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum } = schema;
    const typeOptions = { minValue: minimum, ...(maximum === undefined ? {} : { maxValue: maximum }) };
    return property(name, 'number', minimum, { typeOptions, ...about });
  }
  if (schema.format === 'date-time') {
    return property(name, 'dateTime', '', about);
  }
  if (schema.type === 'object')
    return { displayName: title(name), name, type: 'json', default: '', ...about };
  const example = schema.examples?.[0];
  return { ...textProperty(name, about), ...(example === undefined ? {} : { placeholder: String(example) }) };
}

const booleans: Readonly<Record<string, string>> = {
  dryRun: 'Whether to only check, and store nothing',
  disableComment: 'Whether comments are off',
  brandOrganic: 'Whether the post promotes your own brand',
  brandedContent: 'Whether the post is a paid partnership',
  aiGenerated: 'Whether the post is labelled as made by AI',
  autoAddMusic: 'Whether TikTok adds music',
};

const property = (name: string, type: string, start: unknown, more: object = {}): Property => ({
  displayName: title(name),
  name,
  type,
  default: start,
  ...more,
});

const textProperty = (name: string, about: object): Property => property(name, 'string', '', about);

function optionsProperty(
  name: string,
  type: 'options' | 'multiOptions',
  values: readonly string[],
  about: object,
): Property {
  const options = values.map(value => ({ name: title(value), value }));
  const start = type === 'multiOptions' ? [] : values[0];
  return property(name, type, start, { options: options.sort(byName), ...about });
}

const listProperty = (name: string, method: string): Property => ({
  displayName: `${title(name).replace(/ ID$/, '')} Name or ID`,
  name,
  type: 'options',
  typeOptions: { loadOptionsMethod: method },
  default: '',
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
});

const limitProperty = (): Property =>
  property('limit', 'number', 50, {
    typeOptions: { minValue: 1, maxValue: 100 },
    description: 'Max number of results to return',
  });

const pageProperties = (): Property[] => [
  property('returnAll', 'boolean', false, {
    description: 'Whether to return all results or only up to a given limit',
  }),
  { ...limitProperty(), typeOptions: { minValue: 1 }, displayOptions: { show: { returnAll: [false] } } },
];

const waitProperty = (): Property =>
  property('wait', 'boolean', true, {
    displayName: 'Wait Until Ready',
    description: 'Whether to wait until the deck is ready or failed, for at most two minutes',
  });

const uploadProperty = (): Property =>
  property('binaryField', 'string', 'data', {
    displayName: 'Input Binary Field',
    required: true,
    hint: 'The name of the input field that has the picture',
  });

const keyProperty = (): Property =>
  property('idempotencyKey', 'string', '', {
    description:
      'A repeat with the same key within 24 hours does nothing twice. Empty: one made of the execution, the node and the item, so that "Retry On Fail" is safe, and a new execution acts again.',
  });

const groups: Readonly<Record<string, { displayName: string; placeholder: string }>> = {
  updateFields: { displayName: 'Update Fields', placeholder: 'Add Field' },
  filters: { displayName: 'Filters', placeholder: 'Add Filter' },
  options: { displayName: 'Additional Fields', placeholder: 'Add Field' },
};

const collection = (name: string, properties: readonly Property[]): Property =>
  property(name, 'collection', {}, { ...groups[name], options: [...properties].sort(byDisplayName) });

const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);
const byDisplayName = (a: Property, b: Property): number => a.displayName.localeCompare(b.displayName);

function operationTitle({ method }: SdkOperation): string {
  return method === 'list' ? 'Get Many' : title(method);
}

/** The value that n8n expects for a list, which it shows as "Get Many". */
function operationValue({ method }: SdkOperation): string {
  return method === 'list' ? 'getAll' : method;
}

const irregular: Readonly<Record<string, string>> = {
  analytics: 'analytics',
  credits: 'credits',
  usage: 'usage',
};

function singular(resource: string): string {
  return irregular[resource] ?? resource.replace(/s$/, '');
}

function resourceTitle(resource: string): string {
  return title(resource === 'credits' ? 'credit' : singular(resource));
}

/** `tiktokAccountId` is `TikTok Account ID`, `PUBLIC_TO_EVERYONE` is `Public to Everyone`. */
function title(name: string): string {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[ _.-]+/)
    .map(part => part.toLowerCase());
  return parts
    .map((part, index) => {
      if (words[part] !== undefined) return words[part];
      if (index > 0 && small.has(part)) return part;
      return part.charAt(0).toUpperCase() + part.slice(1);
    })
    .join(' ');
}

function camel(path: readonly string[]): string {
  return path
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function description(text: string | undefined): { description?: string } {
  return text === undefined ? {} : { description: sentence(text) };
}

/** n8n ends a text of one sentence without a full stop, and one of several with it. */
function sentence(text: string): string {
  const bare = text
    .replaceAll('`', '')
    .replaceAll(/\bid\b/g, 'ID')
    .trim()
    .replace(/\.$/, '');
  return bare.includes('. ') ? `${bare}.` : bare;
}

/** n8n wants these without any punctuation. */
function action(summary: string): string {
  const join = summary.includes(' or ') ? ' or ' : ' and ';
  return summary
    .replace(/(, (newest|oldest).*|;.*| \(.*\))$/, '')
    .replaceAll(', ', join)
    .replaceAll(/[^\w ]+/g, ' ');
}
