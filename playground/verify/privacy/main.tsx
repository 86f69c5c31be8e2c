/**
 * The privacy notice of the hosted page.
 *
 * For tests: data-testid privacy, language. The `lang` parameter of the address sets the language.
 */
import { signal } from '@preact/signals';
import './privacy.css';
import { resolveLanguage } from '../language.ts';
import { renderPage } from '../../shared/kit/render-page.ts';
import { PrivacyNotice } from './privacy-notice.tsx';

const lang = new URLSearchParams(location.search).get('lang');
const language = signal(resolveLanguage(lang, navigator.languages));

const root = document.getElementById('app');
renderPage(<PrivacyNotice language={language} />, root);
