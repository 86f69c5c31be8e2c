/** Kept equal to package.json by test/mock-server/cli/version.test.ts. */
export const VERSION = '3.5.6';
