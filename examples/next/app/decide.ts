export async function decide(sessionId: string): Promise<boolean> {
  const response = await fetch('/age-check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId }),
  });
  if (!response.ok) throw new Error(`/age-check responded with ${response.status}`);
  const { access } = (await response.json()) as { access: boolean };
  return access;
}
