/** How letters are painted: plain, in a rounded box behind every line, or with an outline. */
export type Ink = { color: string; box?: string | undefined; stroke?: string | undefined };

/** The room around the letters of a boxed line, and the width of an outline, as shares of their size. */
export const boxRoom = { x: 0.32, above: 1.02, below: 0.4, radius: 0.26 };
export const strokeShare = 0.2;
/** What a line is wider than its letters, as a share of their size. */
export const edgesOf = ({ box, stroke }: Ink): number => (box ? 2 * boxRoom.x : stroke ? strokeShare : 0);
