import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import type { View } from '../flow.ts';
import { toLocale } from '../language.ts';
import { type Page, translate } from '../page.ts';
import { Resume, Retake } from './away.tsx';
import { Brand } from './brand.tsx';
import { Capture } from './capture.tsx';
import { Following, Handoff } from './handoff.tsx';
import { Help } from './help.tsx';
import { Intro } from './intro.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { Notice } from './notice.tsx';
import { Loading, Processing, Result } from './outcome.tsx';
import { PrivacyNotice } from './privacy-text.tsx';
import { Sandbox } from './sandbox.tsx';
import { Timer } from './timer.tsx';

export function App({ page }: { page: Page }): JSX.Element {
  useSignalEffect(() => {
    document.documentElement.lang = toLocale(page.language.value);
    document.title = `${translate(page, 'title')} · OfAge`;
  });
  const { flow } = page;
  const view = flow.view.value;
  const isOpen = view.name !== 'loading' && view.name !== 'result' && view.name !== 'notice';
  return (
    <>
      <Sandbox page={page} isOpen={isOpen} />
      <div class="card">
        <header class="bar bar--top">
          <Brand page={page} />
          {isOpen && <Timer page={page} />}
        </header>
        <div class="offline-frame" role="status">
          {flow.isOffline.value && <p class="offline">{translate(page, 'offline')}</p>}
        </div>
        <main class="view" data-view={view.name} data-step={'step' in view ? view.step : undefined}>
          <Current page={page} view={view} />
        </main>
        <footer class="bar bar--bottom">
          {isOpen && (
            <Button variant="bare" class="link" onPress={() => void flow.cancel()} testId="cancel">
              {translate(page, 'cancel')}
            </Button>
          )}
          <Help page={page} />
          <LanguageChoice language={page.language} label={translate(page, 'language')} />
        </footer>
      </div>
      <PrivacyNotice page={page} />
    </>
  );
}

function Current({ page, view }: { page: Page; view: View }): JSX.Element {
  switch (view.name) {
    case 'loading':
      return <Loading page={page} />;
    case 'intro':
      return <Intro page={page} />;
    case 'capture':
      // The key makes each step a new view, whose heading then gets the focus.
      return <Capture key={view.step} page={page} place={view} />;
    case 'retake':
      return <Retake page={page} place={view} />;
    case 'resume':
      return <Resume page={page} place={view} />;
    case 'handoff':
      return <Handoff page={page} />;
    case 'following':
      return <Following page={page} />;
    case 'processing':
      return <Processing page={page} />;
    case 'result':
      return <Result page={page} ending={view.ending} />;
    case 'notice':
      return <Notice key={view.kind} page={page} kind={view.kind} />;
  }
}
