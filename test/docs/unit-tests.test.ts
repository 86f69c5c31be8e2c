/** Runs the test of a server that docs/guides/unit-tests.md prints. */
import { join } from 'node:path';

// The path is no literal, because the compiler would check the example, which has packages of its own.
await import(join(import.meta.dirname, '../../examples/vite-express/age-check.test.ts'));
