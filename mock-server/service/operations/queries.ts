import * as v from 'valibot';

export const filterText = (name: string) => v.optional(v.string(`${name} must be a string`));

export const filterFlag = (name: string) => v.optional(v.boolean(`${name} must be true or false`));

export const filterInteger = (name: string, min: number, max: number) => {
  const message = `${name} must be an integer from ${min} to ${max}`;
  return v.optional(
    v.pipe(
      v.number(message),
      v.integer(message),
      v.minValue(min, message),
      v.maxValue(max, message),
    ),
  );
};

/** Maximum number of items to list. Over HTTP, a page has its own maximum. */
export const limit = filterInteger('limit', 1, Number.MAX_SAFE_INTEGER);
