import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchPages } from '../../docs/build/watch-pages.mjs';
import { aFolder } from '../support/folder.ts';
import { waitFor } from '../support/wait-for.ts';

it('a page with a mistake is reported, and the next save is copied', async () => {
  const folder = aFolder();
  const pages = ['README.md', 'guides/popup.md'];
  mkdirSync(join(folder, 'guides'));
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  let isBroken = true;
  const copied = new Set<string>();
  watchPages(
    folder,
    pages,
    (page) => {
      if (isBroken) throw new Error(`${page} is broken`);
      copied.add(page);
    },
    ended.signal,
  );
  const save = (...names: string[]): void => {
    for (const name of names) writeFileSync(join(folder, name), '# Title');
  };

  save(...pages);
  await waitFor(() => {
    for (const page of pages) expect(error).toHaveBeenCalledWith(`${page} is broken`);
  });
  isBroken = false;
  save('notes.txt', ...pages);
  await waitFor(() => expect([...copied].toSorted()).toEqual(pages));
});
