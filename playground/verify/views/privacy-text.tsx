import type { JSX } from 'preact';
import { toLocale } from '../language.ts';
import { type Page, translate } from '../page.ts';

interface PrivacyTextProps {
  readonly page: Page;
  readonly text: 'consent' | 'helpData';
}

/**
 * A text with a link to the privacy notice. The link opens a new tab, because this window may close itself
 * at the end only if it has never navigated.
 */
export function PrivacyText({ page, text }: PrivacyTextProps): JSX.Element {
  const link = (
    <a
      data-testid="privacy-notice"
      href={`privacy/?lang=${toLocale(page.language.value)}`}
      target="_blank"
      rel="noopener"
    >
      {translate(page, 'privacyNotice')}
    </a>
  );
  const [before, after] = translate(page, text).split('{notice}');
  return (
    <>
      {before}
      {link}
      {after}
    </>
  );
}
