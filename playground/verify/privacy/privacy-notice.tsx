import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Mark } from '../icons.tsx';
import { type PageLanguage, PSEUDO } from '../language.ts';
import { LanguageChoice } from '../views/language-choice.tsx';
import { NOTICES } from './notices.ts';

/** Explains what the service does with the shopper's data. */
export function PrivacyNotice({ language }: { language: Signal<PageLanguage> }): JSX.Element {
  const shown = language.value === PSEUDO ? 'en' : language.value;
  const notice = NOTICES[shown];
  useEffect(() => {
    document.documentElement.lang = shown;
    document.title = `${notice.title} · OfAge`;
  }, [shown, notice]);
  return (
    <>
      <header class="top">
        <span class="brand" translate={false}>
          <Mark />
          OfAge
        </span>
        <LanguageChoice language={language} label={notice.language} />
      </header>
      <main class="notice" data-testid="privacy">
        <h1>{notice.title}</h1>
        <p class="notice__lead">{notice.lead}</p>
        {notice.sections.map(([heading, text]) => (
          <section key={heading}>
            <h2>{heading}</h2>
            <p>{text}</p>
          </section>
        ))}
      </main>
    </>
  );
}
