/** Must equal the version in package.json, which test/mock-server/cli/version.test.ts checks. */
export const VERSION = '3.5.6';
