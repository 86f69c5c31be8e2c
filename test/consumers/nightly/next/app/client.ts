import { createClient } from 'ofage/server';

export const client = createClient({
  secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
  baseUrl: process.env['OFAGE_API_BASE'],
});
