import { describe, expect, it } from 'vitest';
import { mayColour, toText, type Announcement } from '../../../mock-server/cli/output.ts';

const announcement = {
  server: {
    apiBase: 'http://127.0.0.1:4010/api/v1',
    controlBase: 'http://127.0.0.1:4010/control/v1',
    shop: 'http://localhost:4010/',
    sdkUrl: 'http://127.0.0.1:4010/sdk.min.js',
    publishableKey: 'pk_1',
    secretKey: 'sk_1',
    webhookSecret: 'whsec_1',
  },
  state: '.ofage/mock.sqlite',
  hasDemo: true,
  allowsLoopback: true,
} as Announcement;

describe('mayColour()', () => {
  it.each<[{ isTTY?: boolean }, Record<string, string>, boolean, string]>([
    [{ isTTY: true }, {}, true, 'a terminal has colours'],
    [{}, {}, false, 'a pipe has none'],
    [{ isTTY: true }, { NO_COLOR: '1' }, false, 'NO_COLOR turns them off'],
    [{ isTTY: true }, { NO_COLOR: '' }, true, 'an empty NO_COLOR counts as not set (no-color.org)'],
    [{ isTTY: true }, { TERM: 'dumb' }, false, 'a dumb terminal has none'],
  ])('%j with %j returns %s: %s', (stream, env, expected) => {
    expect(mayColour(stream, env)).toBe(expected);
  });
});

describe('toText()', () => {
  it('returns the same text with and without colours', () => {
    const plain = toText(announcement, false);
    const coloured = toText(announcement, true);
    expect(coloured).toContain('\u001b[');
    // The pattern needs the escape character.
    // oxlint-disable-next-line no-control-regex
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
    expect(plain).toContain('open http://localhost:4010\n');
  });

  it('notes that only the pages of the demo are available', () => {
    const text = toText({ ...announcement, hasDemo: false }, false);
    expect(text).toContain('open http://localhost:4010 (pages only');
  });
});
