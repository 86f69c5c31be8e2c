export declare const withCellLabels: (html: string) => string;
