export declare const startFlags: string[];
export declare const startEnvironment: Record<string, string>;
