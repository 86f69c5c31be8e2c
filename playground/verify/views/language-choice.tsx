import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { LANGUAGES, LANGUAGE_NAMES } from '../../shared/languages.ts';
import { PSEUDO, type PageLanguage } from '../language.ts';

interface LanguageProps {
  readonly language: Signal<PageLanguage>;
  readonly label: string;
}

export function LanguageChoice({ language, label }: LanguageProps): JSX.Element {
  const isPseudo = language.value === PSEUDO;
  return (
    <SelectField
      label={label}
      hideLabel
      options={[
        ...LANGUAGES.map((one) => ({
          value: one,
          text: LANGUAGE_NAMES[one],
          lang: one,
          translate: false,
        })),
        ...(isPseudo ? [{ value: PSEUDO, text: PSEUDO, translate: false }] : []),
      ]}
      bind={language}
      testId="language"
    />
  );
}
