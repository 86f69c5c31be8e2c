import { ServiceError } from '../../store/errors.ts';
import { DESTINATION_MESSAGES, type Destination } from '../../send/destination.ts';

/**
 * Validates the URL of an endpoint that is being configured.
 * @returns the normalised URL
 * @throws {ServiceError} invalid_body with a message that reveals nothing about our network
 */
export async function validateDestination(
  url: string,
  resolveDestination: (url: string) => Promise<Destination>,
): Promise<string> {
  const verdict = await resolveDestination(url);
  if (verdict.kind === 'allowed') return verdict.url;
  const message = DESTINATION_MESSAGES[verdict.error];
  throw new ServiceError('invalid_body', message, [message]);
}
