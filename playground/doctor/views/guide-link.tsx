import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Json } from '../../shared/console/parts.tsx';
import { docsUrl, useBuiltDocs } from '../../shared/docs.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import { type Guide, readGuide, toGuidePath } from '../guides.ts';

/** Links to a guide, or opens its text in a dialog if the documentation was not built. Test id: guide. */
export function GuideLink({ guide }: { guide: Guide }): JSX.Element {
  const page = useBuiltDocs() ? docsUrl(toGuidePath(guide)) : null;
  return (
    <div>
      <span class="muted">Guide:</span>{' '}
      {page === null ? (
        <GuideText guide={guide} />
      ) : (
        <a href={page} data-testid="guide">
          {guide.name}
        </a>
      )}
    </div>
  );
}

function GuideText({ guide }: { guide: Guide }): JSX.Element {
  const isOpen = useSignal(false);
  const text = useSignal('');
  const open = (): Promise<boolean> =>
    attempt(async () => {
      text.value = await readGuide(guide);
      isOpen.value = true;
    });
  return (
    <>
      <Button variant="bare" class="guide" onPress={open} testId="guide">
        {guide.name}
      </Button>
      {text.value !== '' && (
        <Dialog title={guide.name} isOpen={isOpen} dismiss="Close">
          <p class="muted">
            <code>docs/guides/{guide.file}</code>
          </p>
          <Json label={guide.name} value={text.value} />
        </Dialog>
      )}
    </>
  );
}
