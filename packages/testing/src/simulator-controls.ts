/** The token with which tests start simulators, and with which they open `/_control`. */
export const controlToken = 'controls-of-the-tests';

export const controlHeaders = {
  authorization: `Bearer ${controlToken}`,
  'content-type': 'application/json',
} as const;
