/** The channels of `notify` in this schema. One per worker, so that none wakes the others. */
export const channels = {
  /** A schedule may be due, or its creator free. */
  due: 'scheduling_work',
  /** The platform accepted a call, whose outcome is to be asked for. */
  accepted: 'scheduling_polls',
  /** An automation asked for a schedule. */
  requested: 'scheduling_requests',
} as const;
