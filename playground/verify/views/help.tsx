import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { type Page, translate } from '../page.ts';
import { PrivacyText } from './privacy-text.tsx';

/** Answers the questions that shoppers have during a check. */
export function Help({ page }: { page: Page }): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <>
      <Button variant="bare" class="link" onPress={() => (isOpen.value = true)} testId="help">
        {translate(page, 'help')}
      </Button>
      <Dialog
        title={translate(page, 'help')}
        isOpen={isOpen}
        dismiss={translate(page, 'helpClose')}
        testId="help-dialog"
      >
        <dl class="help">
          <dt>{translate(page, 'helpCameraTitle')}</dt>
          <dd>{translate(page, 'helpCamera')}</dd>
          <dt>{translate(page, 'helpDocumentTitle')}</dt>
          <dd>{translate(page, 'helpDocument')}</dd>
          <dt>{translate(page, 'helpDataTitle')}</dt>
          <dd>
            <PrivacyText page={page} text="helpData" />
          </dd>
          <dt>{translate(page, 'helpShopTitle')}</dt>
          <dd>{translate(page, 'helpShop')}</dd>
        </dl>
      </Dialog>
    </>
  );
}
