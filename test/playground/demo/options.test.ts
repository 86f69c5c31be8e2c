import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_OPTIONS,
  type IntegrationOptions,
  readOptions,
  toCallSettings,
  toConstructorSettings,
  writeOptions,
} from '../../../playground/demo/options.ts';
import { CALL_RULES, OPTION_RULES } from '../../../src/parse-options.ts';
import { OfAge } from '../../../src/index.ts';
import { anyOptions } from './any-options.ts';

const FACTS = {
  publishableKey: 'pk_test_123',
  returnUrl: 'https://kontor.example/return/',
  cancelUrl: 'https://kontor.example/',
  customerId: 'customer-42',
};

describe('the options of the integration panel', () => {
  it('are restored from the query string (property)', () => {
    const text = fc.option(fc.string());
    const options = anyOptions({ apiKey: text, returnUrl: text, cancelAddress: text });
    fc.assert(
      fc.property(options, (written) => {
        expect(readOptions(writeOptions(written), DEFAULT_OPTIONS)).toEqual(written);
      }),
    );
  });

  it('keep their defaults when the address has no or invalid values', () => {
    expect(readOptions('', DEFAULT_OPTIONS)).toEqual(DEFAULT_OPTIONS);
    expect(readOptions('?mode=carrier-pigeon&language=xx', DEFAULT_OPTIONS)).toEqual(
      DEFAULT_OPTIONS,
    );
  });

  it('cover every option of the SDK', () => {
    const every: IntegrationOptions = {
      ...DEFAULT_OPTIONS,
      mode: 'tab',
      cancelUrl: true,
      language: 'de',
      environment: 'staging',
      skipIntro: true,
      autoReturn: true,
      callLanguage: 'fr',
    };
    const callbacks = ['onComplete', 'onCancel', 'onError'].filter((name) => name in every);
    const names = [...Object.keys(toConstructorSettings(every, FACTS)), ...callbacks];
    expect(names.sort()).toEqual(Object.keys(OPTION_RULES).sort());
    expect(Object.keys(toCallSettings(every, FACTS)).sort()).toEqual(
      Object.keys(CALL_RULES).sort(),
    );
  });
});

describe('the constructor with the options of the panel', () => {
  const create = (change: Partial<IntegrationOptions>): OfAge =>
    new OfAge(toConstructorSettings({ ...DEFAULT_OPTIONS, ...change }, FACTS));

  it.each([
    [{ apiKey: '' }, 'api_key_required'],
    [{ apiKey: 'sk_test_123' }, 'secret_key_blocked'],
    [{ apiKey: 'hello' }, 'api_key_invalid'],
    [{ returnUrl: '' }, 'return_url_required'],
    [{ returnUrl: '/return' }, 'return_url_invalid'],
    [{ returnUrl: 'http://shop.example/' }, 'https_required'],
    [{ returnUrl: 'javascript:alert(1)' }, 'url_scheme_blocked'],
    [{ cancelUrl: true, cancelAddress: 'nowhere' }, 'cancel_url_invalid'],
    [{ setsPolicy: true }, 'invalid_option'],
  ] as const)('for %o throws %s', (change, code) => {
    expect(() => create(change)).toThrow(expect.objectContaining({ code }));
  });
});
