import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ServerSentEvent,
  readEvents,
} from '../../../../playground/shared/live/server-sent-events.ts';
import { aBody } from './a-body.ts';

const read = async (body: ReadableStream<Uint8Array>): Promise<ServerSentEvent[]> => {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
};

describe('server-sent events', () => {
  const stream =
    'retry: 1000\n\n: still here\n\nid: a-1\nevent: session\ndata: {"id":"é"}\n\ndata: one\ndata: two\n\nretry: 1\nid: a-2\n\n';
  const expected = [
    { id: 'a-1', event: 'session', data: '{"id":"é"}' },
    { id: null, event: 'message', data: 'one\ntwo' },
    { id: 'a-2', event: 'message', data: null },
  ];

  it('are parsed for any split into chunks (property)', async () => {
    const bytes = new TextEncoder().encode(stream);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        expect(await read(aBody(chunks))).toEqual(expected);
      }),
    );
  });

  it('end with the stream, without an incomplete event', async () => {
    expect(await read(aBody(['data: whole\n\ndata: half']))).toEqual([
      { id: null, event: 'message', data: 'whole' },
    ]);
  });

  it('are read with a callback for every chunk, even one that contains only a comment', async () => {
    let pieces = 0;
    const body = aBody([': still here\n\n', ': still here\n\n']);
    for await (const event of readEvents(body, undefined, () => (pieces += 1))) {
      throw new Error(`Expected no event, got ${event.event}`);
    }
    expect(pieces).toBe(2);
  });
});
