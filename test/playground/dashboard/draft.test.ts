/** A form shows the saved values and keeps unsaved input. */
import { describe, expect, it } from 'vitest';
import { createDraft } from '../../../playground/dashboard/draft.ts';

describe('a draft', () => {
  it('follows values that are saved elsewhere', () => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.follow({ name: 'Kontor' });
    draft.follow({ name: 'Kontor' });
    expect(draft.value).toEqual({ name: 'Kontor' });
  });

  it('binds a field to one of its values and keeps the error passed with it', () => {
    const draft = createDraft({ name: 'Demo shop', age: '25' });
    const name = draft.field('name', 'name must not be empty');
    name.value = 'Kontor';
    expect(draft.value).toEqual({ name: 'Kontor', age: '25' });
    draft.value = { name: 'Weinhaus', age: '25' };
    expect(name.value).toBe('Weinhaus');
    expect(name.error).toBe('name must not be empty');
    expect(draft.field('age').error).toBeUndefined();
  });

  it('keeps unsaved input when another value is saved elsewhere', () => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.value = { name: 'Demo sh' };
    draft.follow({ name: 'Kontor' });
    expect(draft.value).toEqual({ name: 'Demo sh' });
  });

  it.each([
    ['before the response', true],
    ['after the response', false],
  ])('keeps input typed during a save when the live update arrives %s', (_when, isEarly) => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.value = { name: 'Kontor' };
    const accept = draft.send();
    draft.value = { name: 'Kontor by' };
    if (isEarly) draft.follow({ name: 'Kontor' });
    accept();
    if (!isEarly) draft.follow({ name: 'Kontor' });
    expect(draft.value).toEqual({ name: 'Kontor by' });
  });

  it.each([
    ['before the response', true],
    ['after the response', false],
  ])(
    'shows the value normalised by the service when the live update arrives %s',
    (_when, isEarly) => {
      const draft = createDraft({ age: '25' });
      draft.value = { age: '030' };
      const accept = draft.send();
      if (isEarly) draft.follow({ age: '30' });
      accept();
      expect(draft.value).toEqual({ age: isEarly ? '30' : '030' });
      if (!isEarly) draft.follow({ age: '30' });
      expect(draft.value).toEqual({ age: '30' });
      // No input is unsaved, so the draft continues to follow.
      draft.follow({ age: '40' });
      expect(draft.value).toEqual({ age: '40' });
    },
  );

  it('keeps the old value when it is typed again during a save', () => {
    const draft = createDraft({ name: 'Demo shop' });
    draft.value = { name: 'Kontor' };
    const accept = draft.send();
    draft.value = { name: 'Demo shop' };
    draft.follow({ name: 'Kontor' });
    accept();
    expect(draft.value).toEqual({ name: 'Demo shop' });
  });

  it('keeps input that the service refused', () => {
    const draft = createDraft({ age: '25' });
    draft.value = { age: '17' };
    draft.send();
    draft.follow({ age: '40' });
    expect(draft.value).toEqual({ age: '17' });
  });
});
