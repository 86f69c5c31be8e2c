import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { LANGUAGE_NAMES } from '../../verify/language.ts';
import {
  DEFAULT_OPTIONS,
  type IntegrationOptions,
  LANGUAGE_CHOICES,
  type LanguageChoice,
  MODES,
  type Mode,
} from '../options.ts';
import type { Shop } from '../shop.ts';

interface PanelProps {
  readonly options: IntegrationOptions;
  set(change: Partial<IntegrationOptions>): void;
}

/** Every option of the SDK, to be changed on the spot. */
export function OptionsPanel({ shop }: { shop: Shop }): JSX.Element {
  const options = shop.options.value;
  const facts = shop.facts.value;
  const set: PanelProps['set'] = (change) => {
    shop.options.value = { ...shop.options.value, ...change };
  };
  const props = { options, set };
  const isSdk = options.mode !== 'server';
  return (
    <section class="panel" aria-labelledby="options-title">
      <div class="panel__head">
        <h3 id="options-title">Options</h3>
        <Button small onPress={() => (shop.options.value = DEFAULT_OPTIONS)} testId="reset-options">
          Reset
        </Button>
      </div>
      <fieldset class="modes">
        <legend class="visually-hidden">How the check opens</legend>
        {MODES.map((mode) => (
          <label key={mode} class="mode">
            <input
              type="radio"
              name="mode"
              value={mode}
              data-testid={`mode-${mode}`}
              checked={options.mode === mode}
              onChange={() => set({ mode })}
            />
            <span>{MODE_NAMES[mode]}</span>
          </label>
        ))}
      </fieldset>
      <p class="panel__note">{MODE_NOTES[options.mode]}</p>

      <Group title="new OfAge({ … })">
        <TextField
          label="apiKey"
          class="field--text"
          verbatim
          disabled={!isSdk}
          value={options.apiKey ?? facts.publishableKey}
          onValue={(apiKey) => set({ apiKey: apiKey === facts.publishableKey ? null : apiKey })}
          testId="api-key"
        />
        <TextField
          label="returnUrl"
          class="field--text"
          verbatim
          value={options.returnUrl ?? facts.returnUrl}
          onValue={(url) => set({ returnUrl: url === facts.returnUrl ? null : url })}
          testId="return-url"
        />
        <Switch {...props} name="cancelUrl" id="cancel-url" text="cancelUrl" />
        {options.cancelUrl && (
          <TextField
            label="cancelUrl, the address"
            class="field--text"
            verbatim
            value={options.cancelAddress ?? facts.cancelUrl}
            onValue={(url) => set({ cancelAddress: url === facts.cancelUrl ? null : url })}
            testId="cancel-address"
          />
        )}
        <LanguageField
          name="language"
          id="language"
          value={options.language}
          set={(language) => set({ language })}
        />
        <SelectField
          label="environment"
          options={['production', 'staging']}
          disabled={!isSdk}
          value={options.environment}
          onValue={(environment) => set({ environment })}
          testId="environment"
        />
        <div class="switches">
          <Switch {...props} name="onComplete" id="on-complete" text="onComplete" isSdkOnly />
          <Switch {...props} name="onCancel" id="on-cancel" text="onCancel" isSdkOnly />
          <Switch
            {...props}
            name="stayOnCancel"
            id="stay-on-cancel"
            text="onCancel: () => false"
            isSdkOnly
          />
          <Switch {...props} name="onError" id="on-error" text="onError" isSdkOnly />
          <Switch
            {...props}
            name="setsPolicy"
            id="sets-policy"
            text="challengeAge: 25"
            note="a policy, not for browsers"
            isSdkOnly
          />
        </div>
      </Group>

      <Group title="verify({ … })">
        <div class="switches">
          <Switch
            {...props}
            name="sendsCustomer"
            id="sends-customer"
            text="externalUserId"
            note={facts.customerId}
            isSdkOnly
          />
          <Switch {...props} name="skipIntro" id="skip-intro" text="skipIntro" />
          <Switch {...props} name="autoReturn" id="auto-return" text="autoReturn" />
        </div>
        <LanguageField
          name="language, this call"
          id="call-language"
          value={options.callLanguage}
          set={(callLanguage) => set({ callLanguage })}
        />
      </Group>
    </section>
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

function LanguageField(props: {
  name: string;
  id: string;
  value: LanguageChoice | null;
  set(value: LanguageChoice | null): void;
}): JSX.Element {
  const { name, id, value, set } = props;
  return (
    <SelectField
      label={name}
      options={[
        { value: '', text: 'left out' },
        ...LANGUAGE_CHOICES.map((one) => ({ value: one, text: LANGUAGE_LABELS[one] })),
      ]}
      value={value ?? ''}
      onValue={(chosen) => set(chosen || null)}
      testId={id}
    />
  );
}

type SwitchName = {
  [Name in keyof IntegrationOptions]: IntegrationOptions[Name] extends boolean ? Name : never;
}[keyof IntegrationOptions];

function Switch(
  props: PanelProps & {
    name: SwitchName;
    id: string;
    text: string;
    note?: string;
    isSdkOnly?: boolean;
  },
): JSX.Element {
  const { options, set, name, id, text, note, isSdkOnly = false } = props;
  return (
    <CheckField
      class="switch"
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
  redirect: 'This page leaves for the check; the shopper comes back to the return page.',
  popup: 'The check opens in a small window, and this page waits for its message.',
  tab: 'The check opens in a tab of its own, and this page waits for its message.',
  server: "The shop's server creates the session with its secret key; the SDK is not used.",
};

const LANGUAGE_LABELS: Readonly<Record<LanguageChoice, string>> = {
  ...LANGUAGE_NAMES,
  'pt-BR': 'pt-BR, with a region',
  nl: 'nl, not supported',
};
