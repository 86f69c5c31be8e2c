// @vitest-environment jsdom
/** The key of the console's search, Ctrl+K or, on a Mac, Command+K. */
import type { JSX } from 'preact';
import { expect, it, vi } from 'vitest';
import { useRequestedSearch, useSearchKey } from '../../../playground/console/search-key.ts';
import { showPage } from '../shared/kit/a-page.tsx';

const openSearch = vi.fn();

/** A page with other fields, an open dialog, and perhaps a search field. */
function Page({ hasSearch }: { hasSearch: boolean }): JSX.Element {
  useSearchKey(openSearch);
  return (
    <main>
      <p>Text</p>
      <input id="text" />
      <select id="choice" />
      <textarea id="area" />
      <p id="editable" contentEditable />
      <dialog open>
        <button id="button">Save</button>
      </dialog>
      {hasSearch && <Search />}
    </main>
  );
}

function Search(): JSX.Element {
  useRequestedSearch();
  return <input id="search" type="search" defaultValue="anna" />;
}

/** Presses a key at an element. Returns whether the browser would still use the key itself. */
const press = (css: string, change: KeyboardEventInit = {}): boolean =>
  document
    .querySelector(css)!
    .dispatchEvent(
      new KeyboardEvent('keydown', { key: 'k', bubbles: true, cancelable: true, ...change }),
    );

const focused = (): string | undefined => document.activeElement?.id;

it.each([{ ctrlKey: true }, { metaKey: true }, { ctrlKey: true, key: 'K' }])(
  'focuses the search field with its text selected, with %j',
  async (keys) => {
    const page = await showPage(<Page hasSearch />);
    expect(press('p', keys)).toBe(false);
    expect(focused()).toBe('search');
    const { selectionStart, selectionEnd } = page.get<HTMLInputElement>('#search');
    expect([selectionStart, selectionEnd]).toEqual([0, 4]);
    expect(openSearch).not.toHaveBeenCalled();
  },
);

it.each<[keys: KeyboardEventInit, css: string]>([
  [{}, 'p'],
  [{ ctrlKey: true, metaKey: true }, 'p'],
  [{ ctrlKey: true, altKey: true }, 'p'],
  [{ ctrlKey: true, shiftKey: true }, 'p'],
  [{ ctrlKey: true, key: 'j' }, 'p'],
  ...['#text', '#choice', '#area', '#editable', 'dialog', '#button'].map(
    (css): [KeyboardEventInit, string] => [{ ctrlKey: true }, css],
  ),
])('leaves %j at %s to the browser', async (keys, css) => {
  await showPage(<Page hasSearch />);
  expect(press(css, keys)).toBe(true);
  expect(focused()).not.toBe('search');
});

it('opens a view with a search field, which gets the focus once', async () => {
  const page = await showPage(<Page hasSearch={false} />);
  press('p', { ctrlKey: true });
  expect(openSearch).toHaveBeenCalledOnce();
  await page.show(<Page hasSearch />);
  expect(focused()).toBe('search');
  page.get('#text').focus();
  await page.show(<Page hasSearch={false} />);
  page.get('#text').focus();
  await page.show(<Page hasSearch />);
  expect(focused()).toBe('text');
});

it('is no longer heard when the page is gone', async () => {
  const page = await showPage(<Page hasSearch={false} />);
  await page.show(<p>Another page</p>);
  openSearch.mockClear();
  press('p', { ctrlKey: true });
  expect(openSearch).not.toHaveBeenCalled();
});
