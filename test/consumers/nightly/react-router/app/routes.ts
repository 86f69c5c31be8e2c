import { index, route } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('age-check', 'routes/age-check.ts'),
  route('webhooks/ofage', 'routes/webhooks.ts'),
];
