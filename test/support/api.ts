/** A response with its parsed body. */
export interface Answer {
  status: number;
  headers: Headers;
  // The body is not typed, because the tests check the fields of the response.
  body: any;
}

/** Posts JSON with a key and parses the JSON response. */
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
