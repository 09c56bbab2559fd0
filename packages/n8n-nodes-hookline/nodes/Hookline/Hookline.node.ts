import {
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
  sleep,
  tryToParseDateTime,
} from 'n8n-workflow';
import { ask, callOperation, derivedKey, HooklineFailure, type Json } from './calls';
import { faultOf, sender } from './http';
import { operations, properties } from './operations';

export class Hookline implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Hookline',
    name: 'hookline',
    icon: { light: 'file:../../icons/hookline.svg', dark: 'file:../../icons/hookline.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Write decks for an app, have them approved and post them to TikTok',
    defaults: { name: 'Hookline' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'hooklineApi', required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      async listApps(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        return loadOptions(this, '/apps', 'name');
      },
      async listAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        return loadOptions(this, '/accounts', 'displayName');
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const done: INodeExecutionData[] = [];
    const send = await sender(this);
    for (let index = 0; index < this.getInputData().length; index += 1) {
      try {
        const rows = await callOne(this, index, send);
        done.push(...rows.map(json => ({ json: json as IDataObject, pairedItem: { item: index } })));
      } catch (error) {
        // The agent's model sees an empty result of a tool that throws.
        const isReturned = this.continueOnFail() || this.isToolExecution();
        if (!isReturned) throw new NodeApiError(this.getNode(), ...faultOf(error, index));
        const { code, status, requestId } =
          error instanceof HooklineFailure ? error : { code: null, status: null, requestId: null };
        const json = { error: (error as Error).message, code, status, requestId };
        done.push({ json, pairedItem: { item: index } });
      }
    }
    return [done];
  }
}

async function callOne(
  functions: IExecuteFunctions,
  index: number,
  send: Awaited<ReturnType<typeof sender>>,
): Promise<Json[]> {
  // Without another value than undefined, n8n throws for a parameter that the operation lacks.
  const parameter = (name: string): unknown => functions.getNodeParameter(name, index, null);
  const operation = operations[`${parameter('resource')}.${parameter('operation')}`];
  if (operation === undefined) {
    throw new NodeOperationError(
      functions.getNode(),
      `There is no operation ${parameter('operation')} of ${parameter('resource')}.`,
      { itemIndex: index },
    );
  }
  return callOperation({
    operation,
    parameter,
    send,
    sleep,
    instant: value => tryToParseDateTime(value, functions.getTimezone()).toISO() ?? String(value),
    idempotencyKey: String(parameter('idempotencyKey') ?? '').trim() || keyOf(functions, index),
    ...(operation.isUpload === true ? { file: await fileOf(functions, index) } : {}),
  });
}

/** In a loop a node runs several times in one execution, each time for other items. */
function keyOf(functions: IExecuteFunctions, index: number): string {
  const { id = '' } = functions.getWorkflow();
  const run = Number(functions.evaluateExpression('{{ $runIndex }}', index) ?? 0);
  return derivedKey([id, functions.getExecutionId(), functions.getNode().id, run, index]);
}

async function fileOf(
  functions: IExecuteFunctions,
  index: number,
): Promise<{ bytes: Uint8Array; name: string }> {
  const field = functions.getNodeParameter('binaryField', index) as string;
  const { fileName = 'file' } = functions.helpers.assertBinaryData(index, field);
  return { bytes: await functions.helpers.getBinaryDataBuffer(index, field), name: fileName };
}

/** The newest hundred, which is more than anybody has connected. */
async function loadOptions(
  functions: ILoadOptionsFunctions,
  path: string,
  label: string,
): Promise<INodePropertyOptions[]> {
  try {
    const { data } = await ask(await sender(functions), {
      method: 'GET',
      path,
      query: { limit: 100 },
      headers: {},
    });
    return (data as Json[]).map(row => ({ name: String(row[label] ?? row.id), value: String(row.id) }));
  } catch (error) {
    throw new NodeApiError(functions.getNode(), ...faultOf(error));
  }
}
