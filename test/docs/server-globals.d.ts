/** The parts of the server in docs/guides/server.md that later examples of that page use. */
import type { Express } from 'express';

declare global {
  const app: Express;
  const isOldEnough: (sessionId: string, customerId: string) => Promise<boolean>;
  const passed: Set<string>;
  const decide: (sessionId: string, customerId: string) => Promise<boolean>;
}
