import * as fc from 'fast-check';
import {
  type IntegrationOptions,
  LANGUAGE_CHOICES,
  MODES,
} from '../../../playground/demo/options.ts';

/** Generators for the free-text fields. All other fields have a fixed set of values. */
type Texts = Record<'apiKey' | 'returnUrl' | 'cancelAddress', fc.Arbitrary<string | null>>;

/** Generates settings of the integration panel. */
export const anyOptions = (texts: Texts): fc.Arbitrary<IntegrationOptions> =>
  fc.record<IntegrationOptions>({
    mode: fc.constantFrom(...MODES),
    apiKey: texts.apiKey,
    returnUrl: texts.returnUrl,
    cancelUrl: fc.boolean(),
    cancelAddress: texts.cancelAddress,
    language: fc.constantFrom(null, ...LANGUAGE_CHOICES),
    environment: fc.constantFrom('production', 'staging'),
    onComplete: fc.boolean(),
    onCancel: fc.boolean(),
    stayOnCancel: fc.boolean(),
    onError: fc.boolean(),
    sendsCustomer: fc.boolean(),
    skipIntro: fc.boolean(),
    autoReturn: fc.boolean(),
    callLanguage: fc.constantFrom(null, ...LANGUAGE_CHOICES),
    setsPolicy: fc.boolean(),
  });
