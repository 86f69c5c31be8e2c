/** Declares the SvelteKit modules that docs/guides/frameworks.md imports. SvelteKit is not installed here. */
declare module '@sveltejs/kit/env' {
  type Schema = (value: string | undefined) => string | undefined;
  export function defineEnvVars<T extends Record<string, { schema?: Schema }>>(variables: T): T;
}

declare module '$app/env/private' {
  export const OFAGE_SECRET_KEY: string | undefined;
  export const OFAGE_WEBHOOK_SECRET: string | undefined;
  export const OFAGE_API_BASE: string | undefined;
}

/** The module of SvelteKit 2. */
declare module '$env/dynamic/private' {
  export const env: Readonly<Record<string, string | undefined>>;
}

/** Next.js is not installed here either. */
declare module 'next' {
  export interface NextConfig {
    readonly env?: Readonly<Record<string, string | undefined>>;
  }
}
