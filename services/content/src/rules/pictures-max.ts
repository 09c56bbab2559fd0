/** Pictures of one app, screenshots included. */
export const picturesMax = 50;
