import type { INodeProperties } from 'n8n-workflow';
import { eventOptions } from './operations';

/** The parameter `events` of a trigger. */
export const eventsProperty: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  required: true,
  options: eventOptions,
  default: [],
};
