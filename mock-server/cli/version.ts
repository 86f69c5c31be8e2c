/** The version in package.json. test/package/version.test.ts checks that both are equal. */
export const VERSION = '3.5.6';
