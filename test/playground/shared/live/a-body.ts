/** A body of these pieces. It ends after them, or stays open and says nothing more. */
export function aBody(
  chunks: readonly (string | Uint8Array)[],
  end: 'ends' | 'stays open' = 'ends',
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(
          typeof chunk === 'string' ? new TextEncoder().encode(chunk) : new Uint8Array(chunk),
        );
      }
      if (end === 'ends') controller.close();
    },
  });
}
