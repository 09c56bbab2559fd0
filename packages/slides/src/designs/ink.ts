/** How letters are painted: plain, or in a rounded box behind every line. */
export type Ink = { color: string; box?: string | undefined };

/** The room around the letters of a boxed line, as a share of their size. */
export const boxRoom = { x: 0.32, above: 1.02, below: 0.4, radius: 0.26 };
/** What a line is wider than its letters, as a share of their size. */
export const edgesOf = ({ box }: Ink): number => (box ? 2 * boxRoom.x : 0);
