/** Creates a response body from the chunks. After them, it ends or stays open. */
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
