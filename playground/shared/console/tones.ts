import type { DeliveryResource, EndpointState, SessionResource } from 'ofage-mock';
import type { Tone } from '../kit/chip.tsx';

export const STATUS_TONES = {
  pending: 'accent',
  verified: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  expired: 'warn',
} as const satisfies Record<SessionResource['status'], Tone>;

export const STATE_TONES = {
  new: 'neutral',
  healthy: 'good',
  failing: 'bad',
  paused: 'bad',
  disabled: 'neutral',
} as const satisfies Record<EndpointState, Tone>;

export const DELIVERY_TONES = {
  pending: 'accent',
  delivered: 'good',
  undelivered: 'bad',
  cancelled: 'neutral',
} as const satisfies Record<DeliveryResource['status'], Tone>;
