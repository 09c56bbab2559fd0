import {
  type IDataObject,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { eventsProperty } from '../Hookline/events';
import { faultOf, sender } from '../Hookline/http';
import { type Position, readFeed } from './feed';

export class HooklineFeedTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Hookline Feed Trigger',
    name: 'hooklineFeedTrigger',
    icon: { light: 'file:../../icons/hookline.svg', dark: 'file:../../icons/hookline.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow on new events, by asking for them',
    defaults: { name: 'Hookline Feed Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'hooklineApi', required: true }],
    polling: true,
    properties: [
      { ...eventsProperty, description: 'Only those that happen after the workflow was first activated' },
    ],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const types = this.getNodeParameter('events') as string[];
    const isTry = this.getMode() === 'manual';
    const kept = this.getWorkflowStaticData('node') as Position & IDataObject;
    const isFirst = kept.after === undefined;
    try {
      const { events, position } = await readFeed(await sender(this), types, isTry ? {} : kept);
      if (!isTry) Object.assign(kept, position);
      // A try in the editor shows the latest event, whenever it was; what was before the activation starts nothing.
      const rows = isTry ? events.slice(-1) : isFirst ? [] : events;
      return rows.length === 0 ? null : [this.helpers.returnJsonArray(rows as IDataObject[])];
    } catch (error) {
      throw new NodeApiError(this.getNode(), ...faultOf(error));
    }
  }
}
