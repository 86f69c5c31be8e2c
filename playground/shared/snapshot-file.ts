/** A file's name that sorts by time, and that every system takes. */
export function toSnapshotName(takenAt: string): string {
  return `ofage-run-${takenAt.slice(0, 19).replaceAll(':', '-')}Z.json`;
}

/** @throws Error with a sentence when the file cannot be a snapshot; the service looks at the rest */
export function parseSnapshotFile(text: string): object {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error('Cannot load the file: it is not JSON', { cause });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error('Cannot load the file: it must hold one JSON object');
  }
  return content;
}
