import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../shared/kit/button.tsx';
import { ValueChip } from '../shared/kit/chip.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import type { Context } from './context.ts';
import { namesOf } from './form.tsx';
import { useRequestedSearch } from './search-key.ts';

/** The time without typing after which the search starts. */
const DEBOUNCE_MS = 200;

/**
 * The filters of a page, which are the query parameters of its address: a search field, and a button that
 * opens the other fields. Each field has the name of its parameter. Those in use are shown as chips.
 */
export function Finder(props: {
  context: Context;
  /** The search field. With `onEnter`, its text is used only once Enter is pressed. */
  search: { name: string; label: string; testId: string; onEnter?: boolean };
  /** The other fields. */
  children: ComponentChildren;
  /** The filters to show as chips, each with its parameter. Those without a value are left out. */
  chips: readonly (readonly [name: string, text: string])[];
  /** Shown beside the button. */
  actions?: ComponentChildren;
}): JSX.Element {
  const { context, search, children, chips, actions } = props;
  const { route } = context;
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** True from a change of the fields until the address has it. */
  const isOwnChange = useRef(false);
  const isOpen = useSignal(false);
  const id = useId();
  const go = (change: Readonly<Record<string, string>>): void =>
    context.go({
      page: route.page,
      id: route.id,
      query: { ...route.query, before: '', ...change },
    });
  const apply = (): void => {
    clearTimeout(timer.current);
    if (!form.current) return;
    const wanted = readQuery(form.current);
    if (Object.entries(wanted).every(([name, value]) => value === (route.query[name] ?? '')))
      return;
    isOwnChange.current = true;
    go(wanted);
  };
  // The timer may fire after another render with other filters.
  const latestApply = useRef(apply);
  latestApply.current = apply;
  useLayoutEffect(() => {
    // Back, a chip or a link has changed the address. What the user types is never replaced.
    if (!isOwnChange.current) form.current?.reset();
    isOwnChange.current = false;
  }, [route]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useRequestedSearch();
  const inUse = chips.filter(([name]) => route.query[name] !== undefined);
  return (
    <form
      class="finder"
      role="search"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
      onInput={({ target }) => {
        const isTyping = target instanceof HTMLInputElement && target.type === 'search';
        clearTimeout(timer.current);
        if (isTyping && search.onEnter) return;
        timer.current = setTimeout(() => latestApply.current(), isTyping ? DEBOUNCE_MS : 0);
      }}
    >
      <div class="row">
        <TextField
          name={search.name}
          label={search.label}
          hideLabel
          class="finder__text"
          type="search"
          placeholder={search.label}
          verbatim
          value={route.query[search.name] ?? ''}
          testId={search.testId}
        />
        <Button
          aria-expanded={isOpen.value}
          aria-controls={id}
          onPress={() => (isOpen.value = !isOpen.value)}
          testId="filters"
        >
          Filters
        </Button>
        {actions}
      </div>
      <div id={id} class="filters" hidden={!isOpen.value}>
        {children}
      </div>
      {inUse.length > 0 && (
        <div class="row" data-testid="active-filters">
          {inUse.map(([name, text]) => (
            <ValueChip
              key={name}
              remove={{ label: `Remove the filter ${text}`, onPress: () => go({ [name]: '' }) }}
            >
              {text}
            </ValueChip>
          ))}
        </div>
      )}
    </form>
  );
}

/** Reads the fields of a form. The values of several checkboxes with one name have spaces between them. */
function readQuery(form: HTMLFormElement): Record<string, string> {
  const values = new FormData(form);
  // The option for the parameter's value may not be loaded yet.
  const isUnknown = (name: string): boolean => {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLSelectElement) || field.selectedIndex > 0) return false;
    return ![...field.options].some(({ defaultSelected }) => defaultSelected);
  };
  const names = namesOf(form).filter((name) => !isUnknown(name));
  return Object.fromEntries(names.map((name) => [name, values.getAll(name).join(' ').trim()]));
}
