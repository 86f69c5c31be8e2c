import type { NextConfig } from 'next';

const config: NextConfig = {
  // The page may read these two of the variables in .env.development.local, and no secret.
  env: {
    NEXT_PUBLIC_OFAGE_PUBLISHABLE_KEY: process.env.OFAGE_PUBLISHABLE_KEY,
    NEXT_PUBLIC_OFAGE_API_BASE: process.env.OFAGE_API_BASE,
  },
};

export default config;
