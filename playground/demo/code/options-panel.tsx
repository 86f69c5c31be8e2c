import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { ChoiceField } from '../../shared/kit/choice-field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { LANGUAGE_NAMES } from '../../shared/languages.ts';
import {
  DEFAULT_OPTIONS,
  type Flag,
  type IntegrationOptions,
  LANGUAGE_CHOICES,
  type LanguageChoice,
  MODES,
  type Mode,
} from '../options.ts';
import type { ShopFacts } from '../../shop/integration.ts';
import type { DemoShop } from '../demo-shop.ts';
import { YOURS } from './snippets.ts';

interface PanelProps {
  readonly options: IntegrationOptions;
  readonly facts: ShopFacts;
  set(change: Partial<IntegrationOptions>): void;
}

/** A form with every option of the SDK. Changes take effect at once. */
export function OptionsPanel({ shop }: { shop: DemoShop }): JSX.Element {
  const options = shop.options.value;
  const set: PanelProps['set'] = (change) => {
    shop.options.value = { ...shop.options.value, ...change };
  };
  const props = { options, facts: shop.facts.value, set };
  return (
    <section class="panel" aria-labelledby="options-title">
      <div class="panel__head">
        <h2 id="options-title">Options</h2>
        <Button small onPress={() => (shop.options.value = DEFAULT_OPTIONS)} testId="reset-options">
          Reset
        </Button>
      </div>
      <ChoiceField
        label="How the check opens"
        options={MODES.map((mode) => ({ value: mode, text: MODE_NAMES[mode] }))}
        value={options.mode}
        onValue={(mode) => set({ mode })}
        testId="mode"
      />
      <p class="panel__note">{MODE_NOTES[options.mode]}</p>
      <ConstructorOptions {...props} />
      <CallOptions {...props} />
    </section>
  );
}

function ConstructorOptions(props: PanelProps): JSX.Element {
  const { options, facts, set } = props;
  const isSdk = options.mode !== 'server';
  return (
    <Group title="new OfAge({ … })">
      <Address
        {...props}
        name="apiKey"
        usual={facts.publishableKey}
        isDisabled={!isSdk}
        id="api-key"
      />
      <Address
        {...props}
        name="returnUrl"
        usual={facts.returnUrl}
        yours={YOURS.returnUrl}
        id="return-url"
      />
      <Switch {...props} name="cancelUrl" id="cancel-url" />
      {options.cancelUrl && (
        <Address
          {...props}
          name="cancelAddress"
          label="cancelUrl address"
          usual={facts.cancelUrl}
          yours={YOURS.cancelAddress}
          id="cancel-address"
        />
      )}
      <LanguageField {...props} name="language" id="language" />
      <SelectField
        label="environment"
        options={['production', 'staging']}
        disabled={!isSdk}
        value={options.environment}
        onValue={(environment) => set({ environment })}
        testId="environment"
      />
      <div class="switches">
        <Switch {...props} name="onComplete" id="on-complete" isSdkOnly />
        <Switch {...props} name="onCancel" id="on-cancel" isSdkOnly />
        <Switch
          {...props}
          name="stayOnCancel"
          id="stay-on-cancel"
          text="onCancel: () => false"
          isSdkOnly
        />
        <Switch {...props} name="onError" id="on-error" isSdkOnly />
        <Switch
          {...props}
          name="setsPolicy"
          id="sets-policy"
          text="challengeAge: 25"
          note="only the account sets it, so the SDK rejects it"
          isSdkOnly
        />
      </div>
    </Group>
  );
}

function CallOptions(props: PanelProps): JSX.Element {
  const { customerId } = props.facts;
  return (
    <Group title="verify({ … })">
      <div class="switches">
        <Switch
          {...props}
          name="sendsCustomer"
          id="sends-customer"
          text="externalUserId"
          note={customerId === '' ? '' : `${customerId} here, ${YOURS.customerId} in the code`}
          isSdkOnly
        />
        <Switch {...props} name="skipIntro" id="skip-intro" />
        <Switch {...props} name="autoReturn" id="auto-return" />
      </div>
      <LanguageField
        {...props}
        name="callLanguage"
        label="language (this call)"
        id="call-language"
      />
    </Group>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <fieldset class="group">
      <legend>
        <code>{title}</code>
      </legend>
      {children}
    </fieldset>
  );
}

/** A text field for an option that has a default in this shop. The default is stored as null. */
function Address(
  props: PanelProps & {
    name: 'apiKey' | 'returnUrl' | 'cancelAddress';
    label?: string;
    usual: string;
    /** What the code has instead of the default of this shop. */
    yours?: string;
    isDisabled?: boolean;
    id: string;
  },
): JSX.Element {
  const { options, set, name, label = name, usual, yours, isDisabled = false, id } = props;
  return (
    <TextField
      label={label}
      class="field--text"
      verbatim
      hint={
        yours !== undefined && options[name] === null
          ? `This is the demo shop’s page. The code has yours, ${yours}, until you change it here.`
          : undefined
      }
      disabled={isDisabled}
      value={options[name] ?? usual}
      onValue={(value) => set({ [name]: value === usual ? null : value })}
      testId={id}
    />
  );
}

function LanguageField(
  props: PanelProps & { name: 'language' | 'callLanguage'; label?: string; id: string },
): JSX.Element {
  const { options, set, name, label = name, id } = props;
  return (
    <SelectField
      label={label}
      options={[
        { value: '', text: 'not set' },
        ...LANGUAGE_CHOICES.map((one) => ({ value: one, text: LANGUAGE_LABELS[one] })),
      ]}
      value={options[name] ?? ''}
      onValue={(chosen) => set({ [name]: chosen || null })}
      testId={id}
    />
  );
}

function Switch(
  props: PanelProps & {
    name: Flag;
    id: string;
    /** The label, shown as code. The option's name by default. */
    text?: string;
    note?: string;
    isSdkOnly?: boolean;
  },
): JSX.Element {
  const { options, set, name, id, text = name, note, isSdkOnly = false } = props;
  return (
    <CheckField
      label={
        <>
          <code>{text}</code>
          {note && <span class="muted">{note}</span>}
        </>
      }
      disabled={isSdkOnly && options.mode === 'server'}
      value={options[name]}
      onValue={(isOn) => set({ [name]: isOn })}
      testId={id}
    />
  );
}

const MODE_NAMES: Readonly<Record<Mode, string>> = {
  redirect: 'Redirect',
  popup: 'Popup',
  tab: 'New tab',
  server: 'Server',
};

const MODE_NOTES: Readonly<Record<Mode, string>> = {
  redirect: 'The check replaces this page. Afterwards the shopper arrives at the return page.',
  popup:
    'The check opens in a small window beside this page, which waits. New tab does the same with a full tab. In the SDK: mode new-tab.',
  tab: 'The check opens in a full tab in front of this page, which waits. Popup does the same with a small window. In the SDK: mode new-tab, newTabTarget tab.',
  server: "The shop's server creates the session with its secret key. The SDK is not used.",
};

const LANGUAGE_LABELS: Readonly<Record<LanguageChoice, string>> = {
  ...LANGUAGE_NAMES,
  'pt-BR': 'pt-BR (with a region)',
  nl: 'nl (not supported)',
};
