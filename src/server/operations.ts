/** An operation of the API: its path, and the start of error messages about it. */
export interface Operation {
  readonly name: 'create' | 'validate';
  readonly path: string;
  readonly action: string;
}

export const CREATE: Operation = {
  name: 'create',
  path: '/sessions/create',
  action: 'Cannot create the session',
};

export const VALIDATE: Operation = {
  name: 'validate',
  path: '/sessions/validate',
  action: 'Cannot validate the session',
};
