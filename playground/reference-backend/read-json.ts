/**
 * Reads the fields of a JSON body. Returns no fields if there are none, so each caller checks those that it
 * needs.
 */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const body: unknown = await request.json().catch(() => null);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
