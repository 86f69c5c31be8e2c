/** What a response said, in one go. */
export interface Answer {
  status: number;
  headers: Headers;
  // What the API answers is checked by the tests, field by field.
  body: any;
}

/** Posts JSON with a key, and reads the JSON that comes back. */
export async function postJson(url: string, key: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}
