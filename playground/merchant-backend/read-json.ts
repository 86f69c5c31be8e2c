/** Reads a JSON object. Any other body gives an empty object, which the following checks refuse. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const body: unknown = await request.json().catch(() => null);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
