import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { type Page, translate } from '../page.ts';

interface PrivacyTextProps {
  readonly page: Page;
  readonly text: 'consent' | 'helpData';
}

/**
 * A text with a button that opens the privacy notice. The notice is a dialog, because this window may close
 * itself at the end only if it has never navigated.
 */
export function PrivacyText({ page, text }: PrivacyTextProps): JSX.Element {
  const [before, after] = translate(page, text).split('{notice}');
  return (
    <>
      {before}
      <Button
        variant="bare"
        class="text-link"
        onPress={() => (page.isPrivacyOpen.value = true)}
        testId="privacy-notice"
      >
        {translate(page, 'privacyNotice')}
      </Button>
      {after}
    </>
  );
}

/** Explains what the service does with the shopper's data. */
export function PrivacyNotice({ page }: { page: Page }): JSX.Element {
  return (
    <Dialog
      title={translate(page, 'privacyTitle')}
      isOpen={page.isPrivacyOpen}
      dismiss={translate(page, 'helpClose')}
      testId="privacy"
    >
      <p>{translate(page, 'privacyService')}</p>
      <p>{translate(page, 'introPrivacy')}</p>
      <p>{translate(page, 'privacyShop')}</p>
      <p>{translate(page, 'privacyStored')}</p>
      <p>{translate(page, 'privacyChoice')}</p>
    </Dialog>
  );
}
