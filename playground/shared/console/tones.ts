import type { DeliveryResource, LaneState } from 'ofage/mock';
import type { Tone } from '../kit/chip.tsx';

export const STATE_TONES = {
  healthy: 'good',
  degraded: 'warn',
  failing: 'bad',
  paused: 'bad',
  disabled: 'neutral',
} as const satisfies Record<LaneState, Tone>;

export const DELIVERY_TONES = {
  pending: 'accent',
  delivered: 'good',
  undelivered: 'bad',
  cancelled: 'neutral',
} as const satisfies Record<DeliveryResource['status'], Tone>;
