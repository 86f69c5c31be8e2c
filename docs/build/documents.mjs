import { createMockService } from '../../mock-server/index.ts';

/** Returns one of the documents that the mock serves: `openapi.json` or `asyncapi.json`. */
export async function fetchDocument(name) {
  const service = createMockService();
  const response = await service.fetch(new Request(`http://127.0.0.1:4010/${name}`));
  const document = await response.json();
  await service.close();
  return document;
}
