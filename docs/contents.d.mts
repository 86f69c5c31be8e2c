export declare const PAGES: readonly string[];
