import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRecordings, type Recordings } from '../../../playground/inspector/recordings.ts';
import { aProvider } from './a-provider.ts';

let my: ReturnType<typeof aProvider>;
let recordings: Recordings;
let stop: () => void;
beforeEach(() => {
  my = aProvider();
  recordings = createRecordings(my.provider);
  stop = recordings.follow();
});
afterEach(async () => {
  stop();
  await my.service.close();
});

it('the inspector records, replays, and loads the state at the end of the replay', async () => {
  const { control } = my.service;
  await recordings.start('A run');
  expect(recordings.current.value).toMatchObject({ name: 'A run', steps: 0 });
  await control.trigger({ name: 'verified', externalUserId: 'anna' });
  await vi.waitFor(() => expect(recordings.current.value?.steps).toBe(1));
  await recordings.stop();
  expect(recordings.current.value).toBeNull();
  expect(recordings.loaded.value).toMatchObject({ name: 'A run', steps: { length: 1 } });

  await control.reset();
  await recordings.replay();
  expect(recordings.result.value).toMatchObject({ isSame: true, events: { length: 2 } });
  expect(await control.sessions()).toEqual([]);
  await recordings.openResult();
  expect(await control.sessions()).toMatchObject([{ externalUserId: 'anna' }]);
});

it('the inspector shows a recording that was started elsewhere, until it ends', async () => {
  await my.service.record({ name: 'From elsewhere' });
  await vi.waitFor(() => expect(recordings.current.value?.name).toBe('From elsewhere'));
  await my.service.control.reset();
  await vi.waitFor(() => expect(recordings.current.value).toBeNull());
});

it('the inspector explains why a file cannot be loaded, and keeps the loaded recording', async () => {
  await recordings.start('A run');
  await recordings.stop();
  const { value } = recordings.loaded;
  await recordings.load('{');
  expect(recordings.problem.value).toBe('Cannot use the recording: the file is not JSON');
  await recordings.load('{}');
  expect(recordings.problem.value).toContain('whose format is "ofage-recording"');
  expect(recordings.loaded.value).toBe(value);
  await recordings.load(JSON.stringify({ ...value, name: 'Changed by hand' }));
  expect(recordings.problem.value).toBeNull();
  expect(recordings.loaded.value?.name).toBe('Changed by hand');
});
