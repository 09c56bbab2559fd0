"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readFeed = readFeed;
/** Reads the event feed from where the last poll ended. */
const calls_1 = require("../Hookline/calls");
/** A poll ends here at the latest; the next one goes on. A key may ask 120 times a minute. */
const pagesPerPoll = 20;
const rowsPerPage = 100;
/**
 * Events of these types since `position`, oldest first, and the position after them.
 * @throws HooklineFailure
 */
async function readFeed(send, types, position) {
    const events = [];
    const { since = '' } = position;
    let { after } = position;
    for (let pages = 0; pages < pagesPerPoll; pages += 1) {
        const query = { limit: rowsPerPage, ...(after === undefined ? {} : { after }) };
        const { data, nextCursor } = await (0, calls_1.ask)(send, { method: 'GET', path: '/events', query, headers: {} });
        const rows = data;
        events.push(...rows.filter(({ type, timestamp }) => types.includes(String(type)) && String(timestamp) >= since));
        after = String(nextCursor);
        if (rows.length < rowsPerPage)
            break;
    }
    return { events, position: { ...position, ...(after === undefined ? {} : { after }) } };
}
