/** Returns a file name that sorts by time and is valid on every operating system. */
export function toSnapshotName(takenAt: string): string {
  return `ofage-run-${takenAt.slice(0, 19).replaceAll(':', '-')}Z.json`;
}

/**
 * Parses a snapshot file. Checks only that it is a JSON object, because the service validates the content.
 * @throws Error with a message for the user
 */
export function parseSnapshotFile(text: string): object {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error('Cannot load the file: it is not JSON', { cause });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error('Cannot load the file: it must contain one JSON object');
  }
  return content;
}
