import { DEFAULT_URL } from '../api/client.ts';

/**
 * Returns a command of the doctor as a user types it, with the address of the mock unless it is the default.
 * A command that starts a mock gets its port instead.
 */
export function toCommandLine(command: string, mockUrl: string): string {
  const { hostname, port, origin } = new URL(mockUrl);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
  if (isHere && port === new URL(DEFAULT_URL).port) return `npx ${command}`;
  const isStart = command.startsWith('ofage-mock --');
  if (!isStart) return `npx ${command} --url ${origin}`;
  return isHere && port !== '' ? `npx ${command} --port ${port}` : `npx ${command}`;
}
