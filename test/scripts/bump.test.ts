/** The next version of a package, and its heading in the changelog. */
import { describe, expect, it, vi } from 'vitest';
import { assertNext, dateChanges } from '../../scripts/bump.mjs';

describe('the next version', () => {
  const IN_ORDER = ['0.9.9', '1.0.0', '1.0.9', '1.0.10', '1.9.0', '1.10.0', '2.0.0', '10.0.0'];

  it('may be the same or a higher one, whose parts are compared as numbers', () => {
    for (const [index, current] of IN_ORDER.entries()) {
      for (const version of IN_ORDER.slice(0, index))
        expect(() => assertNext(version, current)).toThrow(
          `must not be lower than ${current}, got ${version}`,
        );
      for (const version of IN_ORDER.slice(index))
        expect(() => assertNext(version, current)).not.toThrow();
    }
  });

  it.each([undefined, '', '3.5', 'v3.5.7', '3.5.7-rc.1', '3.5.7 ', 'next'])(
    'is not %j',
    (version) => {
      expect(() => assertNext(version, '1.0.0')).toThrow('Name the next version, such as 3.5.7');
    },
  );
});

describe('the changes of a version', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T23:00:00Z') });
  const OLDER = '## 1.2.2 - 2026-10-01\n\n- B.\n';

  it.each([
    ['that are not released', '## Unreleased'],
    ['that an earlier bump has dated', '## 1.2.3 - 2026-11-01'],
  ])('get a heading with the date of today: those %s', (_, heading) => {
    expect(dateChanges(`# Changes\n\n${heading}\n\n- A.\n\n${OLDER}`, '1.2.3')).toBe(
      `# Changes\n\n## 1.2.3 - 2026-11-21\n\n- A.\n\n${OLDER}`,
    );
  });

  it.each([OLDER, '## Unreleased changes\n', '### Unreleased\n', '## 1x2x3 - 2026-11-01\n'])(
    'need a heading, which this is not: %j',
    (changelog) => {
      expect(() => dateChanges(changelog, '1.2.3')).toThrow('has no heading "## Unreleased"');
    },
  );
});
