import { OfAge as ProductionOfAge } from 'ofage';
import { createTestOfAge } from 'ofage-mock/testing';

// Vite replaces import.meta.env, and leaves out createTestOfAge in a production build.
export const OfAge = import.meta.env.DEV
  ? createTestOfAge(import.meta.env.OFAGE_API_BASE ?? 'http://127.0.0.1:4010/api/v1')
  : ProductionOfAge;
export type OfAge = ProductionOfAge;

export const apiKey: string = import.meta.env.OFAGE_PUBLISHABLE_KEY ?? '';
