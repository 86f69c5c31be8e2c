/** Returns one of the documents that the mock serves. */
export function fetchDocument(name: 'openapi.json' | 'asyncapi.json'): Promise<object>;
