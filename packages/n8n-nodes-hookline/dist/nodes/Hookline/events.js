"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.eventsProperty = void 0;
const operations_1 = require("./operations");
/** The parameter `events` of a trigger. */
exports.eventsProperty = {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    required: true,
    options: operations_1.eventOptions,
    default: [],
};
