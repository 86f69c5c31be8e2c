import { ControlError, DEFAULT_URL } from '../api/client.ts';
import { reasonOf } from '../store/errors.ts';
import { describeUrl } from '../store/safe-text.ts';

/**
 * Parses the address of a mock as people type it: a host and port, or the control or API base that `start`
 * prints.
 * @throws {RangeError} with a readable message
 */
export function parseMockUrl(source: string, text: string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(full) && /^https?:/i.test(full)) {
    const { origin, pathname } = new URL(full);
    if (/^\/((control|api)\/v1\/?)?$/.test(pathname)) return origin;
  }
  throw new RangeError(
    `${source} must be the address of a mock, such as ${DEFAULT_URL}, got "${describeUrl(text)}"`,
  );
}

/** Describes a failed call. If no mock is running, also says how to start one. */
export function describeFailure(error: unknown, url: string): string {
  if (error instanceof ControlError && error.code === 'unreachable') return toAbsence(url);
  return reasonOf(error);
}

/** Returns the message for an unreachable mock, with the command that starts one. */
function toAbsence(url: string): string {
  const { port, hostname } = new URL(url);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
  const option = port === '4010' || !isHere ? '' : ` --port ${port || '80'}`;
  return `no mock is running at ${url}; start one with ofage-mock start${option}, or set its address with --url`;
}
