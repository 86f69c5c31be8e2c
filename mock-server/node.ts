/**
 * The mock provider as an HTTP server, with its state in memory, in a file or in PostgreSQL.
 *
 * @module ofage-mock/node
 */
export { startMockServer } from './hosts/node-server.ts';
export type { MockServer, MockServerOptions } from './hosts/node-server.ts';
export { createMockService, type MockService, type ServiceOptions } from './service/service.ts';
export { LogError } from './store/log.ts';
export type { AccountInput } from './api/accounts.ts';
export type { Control } from './api/control.ts';
export type { ServiceClock } from './api/clock.ts';
