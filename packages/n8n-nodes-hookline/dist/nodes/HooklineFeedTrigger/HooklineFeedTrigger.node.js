"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.HooklineFeedTrigger = void 0;
const n8n_workflow_1 = require("n8n-workflow");
const events_1 = require("../Hookline/events");
const http_1 = require("../Hookline/http");
const feed_1 = require("./feed");
class HooklineFeedTrigger {
    description = {
        displayName: 'Hookline Feed Trigger',
        name: 'hooklineFeedTrigger',
        icon: { light: 'file:../../icons/hookline.svg', dark: 'file:../../icons/hookline.dark.svg' },
        group: ['trigger'],
        version: 1,
        subtitle: '={{$parameter["events"].join(", ")}}',
        description: 'Starts the workflow on new events, by asking for them',
        defaults: { name: 'Hookline Feed Trigger' },
        inputs: [],
        outputs: [n8n_workflow_1.NodeConnectionTypes.Main],
        credentials: [{ name: 'hooklineApi', required: true }],
        polling: true,
        properties: [
            { ...events_1.eventsProperty, description: 'Only those that happen after the workflow was activated' },
        ],
    };
    async poll() {
        const types = this.getNodeParameter('events');
        const isTry = this.getMode() === 'manual';
        const kept = this.getWorkflowStaticData('node');
        if (!isTry && kept.after === undefined)
            kept.since ??= new Date().toISOString();
        try {
            const { events, position } = await (0, feed_1.readFeed)(await (0, http_1.sender)(this), types, isTry ? {} : kept);
            if (!isTry)
                Object.assign(kept, position);
            // A try in the editor shows the latest event, whenever it was.
            const rows = isTry ? events.slice(-1) : events;
            return rows.length === 0 ? null : [this.helpers.returnJsonArray(rows)];
        }
        catch (error) {
            throw new n8n_workflow_1.NodeApiError(this.getNode(), ...(0, http_1.faultOf)(error));
        }
    }
}
exports.HooklineFeedTrigger = HooklineFeedTrigger;
