import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ValidateFunction } from 'ajv';
import { createMockService } from '../../../mock-server/index.ts';

/** The parts of an OpenAPI document that these tests read. */
export interface Described {
  openapi: string;
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, object>; headers: Record<string, object> };
}

interface DescribedOperation {
  operationId: string;
  requestBody?: {
    required: boolean;
    content: { 'application/json': { schema: object; example?: object } };
  };
  responses: Record<
    string,
    { headers?: Record<string, object>; content?: Record<string, { schema: object }> }
  >;
}

/** Returns the OpenAPI document of a new service. */
export async function readDocument(): Promise<Described> {
  const service = createMockService();
  const response = await service.fetch(new Request('http://127.0.0.1:4010/openapi.json'));
  await service.close();
  return (await response.json()) as Described;
}

/**
 * Checks requests and responses against the document. Its methods return the violation, or null if there is
 * none.
 */
export interface SchemaChecker {
  request(method: string, path: string, body: unknown): string | null;
  response(method: string, path: string, response: Response): Promise<string | null>;
}

export function createSchemaChecker(document: Described): SchemaChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // References in the schemas point into the whole document.
  ajv.addSchema({ $id: 'doc', ...document });
  const compiled = new Map<string, ValidateFunction>();

  function check(pointer: string[], value: unknown): string | null {
    const ref = `doc#/${pointer.map(escape).join('/')}`;
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
    compiled.set(ref, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }

  return {
    request(method, path, body) {
      const found = find(document, method, path);
      if (!found?.operation.requestBody) return `${method} ${path} has no request body`;
      const pointer = ['paths', found.template, method.toLowerCase(), 'requestBody', 'content'];
      return check([...pointer, 'application/json', 'schema'], body);
    },
    async response(method, path, response) {
      const found = find(document, method, path);
      if (!found) return `${method} ${path} is not in the document`;
      const { operation, template } = found;
      const described = operation.responses[response.status];
      if (!described) return `${method} ${path} is not described for status ${response.status}`;
      for (const name of Object.keys(described.headers ?? {})) {
        const isThere = response.headers.has(name);
        const isExpected = name !== 'X-RateLimit-Retry-After' || response.status === 429;
        if (isThere !== isExpected) return `${name} is ${isThere ? 'there' : 'missing'}`;
      }
      const text = await response.clone().text();
      if (!described.content) return text === '' ? null : 'there is a body';
      const pointer = ['paths', template, method.toLowerCase(), 'responses', `${response.status}`];
      return check([...pointer, 'content', 'application/json', 'schema'], JSON.parse(text));
    },
  };
}

/** Finds the operation of a request. A segment in braces matches any value. */
function find(
  { paths }: Described,
  method: string,
  path: string,
): { template: string; operation: DescribedOperation } | null {
  const [pathname = ''] = path.split('?');
  for (const [template, operations] of Object.entries(paths)) {
    const pattern = template.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+');
    const operation = operations[method.toLowerCase()];
    if (operation && new RegExp(`^${pattern}$`).test(pathname)) return { template, operation };
  }
  return null;
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
