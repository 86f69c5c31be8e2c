import { createMockService } from 'ofage-mock';
import { expect } from 'vitest';
import { createSchemaChecker, readDocument } from '../mock-server/service/described.ts';
import { fetchOf, toKitOptions } from './in-process.ts';
import { createSenderReceiver } from './receivers.ts';
import { conformanceSuite } from './suite.ts';

/** Compares the responses to the checks with the OpenAPI document. */
conformanceSuite('in process, through fetch, as described by /openapi.json', async () => {
  const checker = createSchemaChecker(await readDocument());
  const { sender, receiver } = createSenderReceiver();
  const service = createMockService({ sender });
  return {
    options: {
      ...toKitOptions(service, receiver),
      async fetch(url, init) {
        const response = await fetchOf(service)(url, init);
        const path = new URL(url).pathname;
        // The document does not describe unknown paths and methods. A 404 of validate is for an unknown
        // session.
        const isKnown = ![404, 405].includes(response.status) || path.endsWith('/validate');
        // The document does not describe preflight requests.
        if (isKnown && response.status !== 405 && init.method !== 'OPTIONS') {
          expect(await checker.response(init.method ?? 'GET', path, response)).toBeNull();
        }
        return response;
      },
    },
    close: () => service.close(),
  };
});
