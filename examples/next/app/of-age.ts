import { OfAge as ProductionOfAge } from 'ofage';
import { createTestOfAge } from 'ofage-mock/testing';

// Next.js replaces process.env, and leaves out createTestOfAge in a production build.
export const OfAge =
  process.env.NODE_ENV === 'development'
    ? createTestOfAge(process.env.NEXT_PUBLIC_OFAGE_API_BASE ?? 'http://127.0.0.1:4010/api/v1')
    : ProductionOfAge;
export type OfAge = ProductionOfAge;

export const apiKey: string = process.env.NEXT_PUBLIC_OFAGE_PUBLISHABLE_KEY ?? '';
