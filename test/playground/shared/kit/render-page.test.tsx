// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { renderPage } from '../../../../playground/shared/kit/render-page.ts';

it('shows the control characters of texts and of names that are read aloud', () => {
  const evil = '\u202Eevil\u0007';
  const Row = () => (
    <>
      {evil}
      <pre title={evil} aria-label={evil}>
        {[`{\n\t"user": "${evil}"\n}`]}
      </pre>
      <input value={evil} />
    </>
  );
  renderPage(<Row />, document.body);
  expect(document.body.textContent).toBe(
    String.raw`\u202eevil\u0007` + `{\n\t"user": "${String.raw`\u202eevil\u0007`}"\n}`,
  );
  const pre = document.querySelector('pre');
  expect([pre?.title, pre?.ariaLabel ?? pre?.getAttribute('aria-label')]).toEqual([
    String.raw`\u202eevil\u0007`,
    String.raw`\u202eevil\u0007`,
  ]);
  // What can be edited and sent is not changed.
  expect(document.querySelector('input')?.value).toBe(evil);
});
