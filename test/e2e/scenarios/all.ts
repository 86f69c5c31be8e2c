import { frameScenarios } from './frames.ts';
import { openerPolicyScenarios } from './opener-policies.ts';
import { popupScenarios } from './popup.ts';
import { redirectScenarios } from './redirect.ts';
import type { EngineTest } from './merchant-page.ts';

/** Adds the scenarios of the SDK, which run unchanged in Chromium, Firefox and WebKit. */
export function scenarios(test: EngineTest): void {
  popupScenarios(test);
  frameScenarios(test);
  openerPolicyScenarios(test);
  redirectScenarios(test);
}
