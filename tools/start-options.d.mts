export const startFlags: string[];
export const startEnvironment: Record<string, string>;
