import { type ScenarioName } from 'ofage/mock';

export type Device = 'first' | 'second';

export type Command =
  | { do: 'create'; key: number; user: string | null }
  | { do: 'settle'; session: number; scenario: ScenarioName }
  | { do: 'session' | 'leave' | 'cancel' | 'continue' | 'retry'; session: number; device: Device }
  | { do: 'outcome'; session: number; device: Device; scenario: ScenarioName }
  | { do: 'submit'; session: number; device: Device; imageQuality: 'good' | 'poor' }
  | { do: 'queue'; scenario: ScenarioName }
  | { do: 'validate'; session: number; key: number }
  | { do: 'pass'; ms: number }
  | { do: 'key'; key: number; status: 'active' | 'paused' | 'revoked' };

interface ModelSession {
  readonly account: number;
  readonly user: string | null;
  endsAt: number;
  leftAt: number | null;
  readonly preset: string | null;
  readonly open: Set<Device>;
  active: Device;
  retries: number;
  needsRetry: boolean;
  status: string;
  endedAt: number | null;
  used: boolean;
  readonly events: string[];
}

/** A model of the session rules. It keeps the sessions in plain objects, without tables or jobs. */
export class Model {
  now = 0;
  readonly keys = ['active', 'active', 'active', 'active'];
  readonly sessions: ModelSession[] = [];
  /** The queued outcomes of the first account. */
  readonly queue: ScenarioName[] = [];

  create(key: number, user: string | null): string {
    if (this.keys[key] === 'revoked') return '401 Invalid API key';
    if (this.keys[key] === 'paused') return '403 API key is paused';
    const publishable = key < 2 ? 0 : 2;
    if (this.keys[publishable] !== 'active') return '503';
    this.sessions.push({
      account: publishable / 2,
      user,
      endsAt: this.now + 600_000,
      leftAt: null,
      preset: this.preset(publishable, user),
      open: new Set(),
      active: 'first',
      retries: 0,
      needsRetry: false,
      status: 'pending',
      endedAt: null,
      used: false,
      events: ['session.started'],
    });
    return '201';
  }

  preset(account: number, user: string | null): string | null {
    if (user?.startsWith('ofage_test:')) return user.slice('ofage_test:'.length);
    return (account === 0 ? this.queue.shift() : undefined) ?? null;
  }

  /** Handles a request of the hosted page on a device. Returns the session's status or an error. */
  visit(one: ModelSession, step: Extract<Command, { device: Device }>): string {
    if (step.do === 'leave') {
      if (one.status === 'pending') {
        one.open.delete(step.device);
        const [other] = one.open;
        if (other) one.active = other;
        else one.leftAt = this.now;
      }
      return one.status;
    }
    one.leftAt = null;
    if (one.status === 'pending') one.open.add(step.device);
    switch (step.do) {
      case 'session':
        return one.status;
      case 'cancel':
        return this.settle(one, 'cancelled');
      case 'outcome':
        if (one.status === 'pending' && one.active !== step.device) return this.elsewhere(one);
        return this.settle(one, step.scenario);
      case 'continue':
        if (one.status === 'pending') one.active = step.device;
        else if (one.active !== step.device && one.status !== 'expired') return this.over(one);
        return one.status;
      case 'retry':
        if (one.status !== 'pending') return this.over(one);
        if (one.active !== step.device) return this.elsewhere(one);
        if (!one.needsRetry) return 'The last image needs no retry';
        one.needsRetry = false;
        one.retries += 1;
        return one.status;
      case 'submit': {
        if (one.status !== 'pending') return this.over(one);
        if (one.active !== step.device) return this.elsewhere(one);
        if (one.needsRetry) return 'The last image was not usable: retry first';
        const isUsable = step.imageQuality === 'good' && one.preset !== 'failed_image_quality';
        if (isUsable) return this.settle(one, (one.preset ?? 'verified') as ScenarioName);
        if (one.retries === 2) return this.settle(one, 'failed_image_quality');
        one.needsRetry = true;
        return one.status;
      }
    }
  }

  over(one: ModelSession): string {
    return `The session is no longer pending: its status is ${one.status}`;
  }

  elsewhere(one: ModelSession): string {
    return `The session is active on the ${one.active} device. To continue here, call continue on this device`;
  }

  pass(ms: number): void {
    this.now += ms;
    for (const one of this.sessions) {
      if (one.status !== 'pending') continue;
      const goneAt = one.leftAt === null ? Infinity : one.leftAt + 5_000;
      // A leave that would take effect at the deadline is too late as well.
      if (goneAt < one.endsAt && goneAt <= this.now) this.end(one, 'cancelled', goneAt);
      else if (one.endsAt <= this.now) this.end(one, 'expired', one.endsAt);
    }
  }

  end(one: ModelSession, status: string, at: number): void {
    one.status = status;
    one.endedAt = at;
    one.needsRetry = false;
    const kinds: Record<string, string> = {
      verified: 'verification.completed',
      failed: 'verification.failed',
      cancelled: 'verification.cancelled',
      expired: 'session.timeout',
    };
    one.events.push(kinds[status] ?? status);
  }

  settle(one: ModelSession, name: ScenarioName): string {
    if (one.status !== 'pending') return this.over(one);
    const status = name.startsWith('verified')
      ? 'verified'
      : name.startsWith('failed')
        ? 'failed'
        : name;
    if (status === 'never') return 'pending';
    if (status === 'timeout') {
      one.endsAt = this.now;
      this.end(one, 'expired', this.now);
    } else {
      this.end(one, status, this.now);
    }
    return one.status;
  }

  validate(one: ModelSession, key: number): string {
    if (this.keys[key] === 'revoked') return '401 Invalid API key';
    if (key % 2 === 0) return '401 Private API key required for session validation';
    if (this.keys[key] === 'paused') return '403 API key is paused';
    if (one.account !== (key - 1) / 2) return '403 Session does not belong to this tenant';
    if (one.used) return '400 Session has already been used';
    if (this.now >= one.endsAt) return '400 Session has expired';
    if (one.status !== 'pending') one.used = true;
    return `200 ${one.status} ${one.user ?? '-'} ${one.endedAt ?? this.now}`;
  }
}
