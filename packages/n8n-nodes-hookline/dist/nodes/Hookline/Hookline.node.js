"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Hookline = void 0;
const n8n_workflow_1 = require("n8n-workflow");
const calls_1 = require("./calls");
const http_1 = require("./http");
const operations_1 = require("./operations");
class Hookline {
    description = {
        displayName: 'Hookline',
        name: 'hookline',
        icon: { light: 'file:../../icons/hookline.svg', dark: 'file:../../icons/hookline.dark.svg' },
        group: ['output'],
        version: 1,
        subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
        description: 'Write decks for an app, have them approved and post them to TikTok',
        defaults: { name: 'Hookline' },
        inputs: [n8n_workflow_1.NodeConnectionTypes.Main],
        outputs: [n8n_workflow_1.NodeConnectionTypes.Main],
        usableAsTool: true,
        credentials: [{ name: 'hooklineApi', required: true }],
        properties: operations_1.properties,
    };
    methods = {
        loadOptions: {
            async listApps() {
                return loadOptions(this, '/apps', 'name');
            },
            async listAccounts() {
                return loadOptions(this, '/accounts', 'username');
            },
        },
    };
    async execute() {
        const done = [];
        const send = await (0, http_1.sender)(this);
        for (let index = 0; index < this.getInputData().length; index += 1) {
            try {
                const rows = await callOne(this, index, send);
                done.push(...rows.map(json => ({ json: json, pairedItem: { item: index } })));
            }
            catch (error) {
                // Of a tool that throws, the agent's model sees an empty result.
                const isReturned = this.continueOnFail() || this.isToolExecution();
                if (!isReturned)
                    throw new n8n_workflow_1.NodeApiError(this.getNode(), ...(0, http_1.faultOf)(error, index));
                const { code, status, requestId } = error instanceof calls_1.HooklineFailure ? error : { code: null, status: null, requestId: null };
                const json = { error: error.message, code, status, requestId };
                done.push({ json, pairedItem: { item: index } });
            }
        }
        return [done];
    }
}
exports.Hookline = Hookline;
async function callOne(functions, index, send) {
    // Without another value than undefined, n8n throws for a parameter that the operation lacks.
    const parameter = (name) => functions.getNodeParameter(name, index, null);
    const operation = operations_1.operations[`${parameter('resource')}.${parameter('operation')}`];
    if (operation === undefined) {
        throw new n8n_workflow_1.NodeOperationError(functions.getNode(), `There is no operation ${parameter('operation')} of ${parameter('resource')}.`, { itemIndex: index });
    }
    return (0, calls_1.callOperation)({
        operation,
        parameter,
        send,
        sleep: n8n_workflow_1.sleep,
        instant: value => (0, n8n_workflow_1.tryToParseDateTime)(value, functions.getTimezone()).toISO() ?? String(value),
        idempotencyKey: String(parameter('idempotencyKey') ?? '').trim() || keyOf(functions, index),
        ...(operation.isUpload === true ? { file: await fileOf(functions, index) } : {}),
    });
}
/** In a loop a node runs several times in one execution, each time for other items. */
function keyOf(functions, index) {
    const { id = '' } = functions.getWorkflow();
    const run = Number(functions.evaluateExpression('{{ $runIndex }}', index) ?? 0);
    return (0, calls_1.derivedKey)([id, functions.getExecutionId(), functions.getNode().id, run, index]);
}
async function fileOf(functions, index) {
    const field = functions.getNodeParameter('binaryField', index);
    const { fileName = 'file' } = functions.helpers.assertBinaryData(index, field);
    return { bytes: await functions.helpers.getBinaryDataBuffer(index, field), name: fileName };
}
/** The newest hundred, which is more than anybody has connected. */
async function loadOptions(functions, path, label) {
    try {
        const { data } = await (0, calls_1.ask)(await (0, http_1.sender)(functions), {
            method: 'GET',
            path,
            query: { limit: 100 },
            headers: {},
        });
        return data.map(row => ({ name: String(row[label] ?? row.id), value: String(row.id) }));
    }
    catch (error) {
        throw new n8n_workflow_1.NodeApiError(functions.getNode(), ...(0, http_1.faultOf)(error));
    }
}
