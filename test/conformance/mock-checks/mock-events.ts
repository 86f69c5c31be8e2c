import type { Check } from '../../../mock-server/conformance/check.ts';
import { expectMatch, show, TEXT } from '../../../mock-server/conformance/matchers.ts';
import { ensure } from '../../../mock-server/conformance/outcome.ts';
import { defineChecks, type CheckRow } from '../../../mock-server/conformance/checks/define.ts';
import { type Scenario, SCENARIOS } from '../../../mock-server/api/scenarios.ts';
import type { EventKind } from '../../../mock-server/store/event-kinds.ts';
import { settle } from './settle.ts';

const EVENTS: readonly CheckRow[] = [
  {
    id: 'same-as-received',
    sentence:
      'The control API lists exactly the bodies and the eventIds that an endpoint has received',
    async run(world) {
      const hook = await world.hook();
      const { sessionId } = await world.create();
      await settle(world, sessionId, 'verified');
      const received = await hook.waitFor(2);
      const events = await world.driver.mock.control.events({ sessionId });
      const kinds = events.map(({ event }) => event);
      ensure(
        kinds.join() === 'session.started,verification.completed',
        'session.started and verification.completed',
        show(kinds),
      );
      const texts = received.map(({ bytes }) => new TextDecoder().decode(bytes)).sort();
      expectMatch('the bodies', texts, events.map(({ body }) => body).sort(), true);
      const completed = received.find(({ body }) => body.event === 'verification.completed');
      expectMatch('eventId', completed?.body.eventId, events[1]?.id, true);
    },
  },
  ...SCENARIOS.flatMap((scenario) => {
    const event = findEvent(scenario);
    return event === null ? [] : [toCheckRow(scenario, event)];
  }),
  {
    id: 'scenario.timeout',
    sentence: 'The scenario "timeout" sends a session.timeout whose expiresAt is the current time',
    async run(world) {
      const hook = await world.hook();
      const { sessionId } = await world.create();
      await world.driver.advance(1_000);
      await settle(world, sessionId, 'timeout');
      const [webhook] = await hook.waitForEvent('session.timeout');
      const now = world.at(await world.now());
      const data = { sessionId, verificationMode: 'L1', challengeAge: 25, expiresAt: now };
      const expected = {
        event: 'session.timeout',
        timestamp: now,
        tenantId: world.account.tenantId,
        test: false,
        data: { ...data, timestamp: now },
        eventId: TEXT,
      };
      expectMatch('the payload', webhook?.body, expected, true);
    },
  },
];

/** Finds the event that reports a scenario's result. Null if there is none, or if it has other fields. */
function findEvent({ outcome }: Scenario): EventKind | null {
  switch (outcome) {
    case 'verified':
      return 'verification.completed';
    case 'failed':
      return 'verification.failed';
    case 'cancelled':
      return 'verification.cancelled';
    case 'expired':
    case 'pending':
      return null;
  }
}

function toCheckRow({ name, reason }: Scenario, event: EventKind): CheckRow {
  return {
    id: `scenario.${name}`,
    sentence: `The scenario ${name} sends one ${event}, with every field of its payload`,
    async run(world) {
      const hook = await world.hook();
      const createdAtMs = await world.now();
      const { sessionId } = await world.create();
      await hook.waitForEvent('session.started');
      await world.driver.advance(1_000);
      await settle(world, sessionId, name);
      const [webhook] = await hook.waitForEvent(event);
      const timestamp = world.at(createdAtMs + 1_000);
      expectMatch(
        'the payload',
        webhook?.body,
        {
          event,
          timestamp,
          tenantId: world.account.tenantId,
          test: false,
          data: {
            sessionId,
            verificationMode: 'L1',
            challengeAge: 25,
            verified: event === 'verification.completed',
            timestamp,
            ...(reason !== null && { reason }),
          },
          eventId: TEXT,
        },
        true,
      );
      const { length } = await hook.quiet();
      ensure(length === 2, 'two webhooks', `${length}`);
    },
  };
}

/** Checks of the events of scenarios, and of the list of events in the control API. */
export const MOCK_EVENT_CHECKS: readonly Check[] = defineChecks(
  {
    section: 'Events',
    prefix: 'mock.events',
    needs: ['mock', 'advance', 'addEndpoint', 'settle'],
    level: 'reading',
    settings: {},
  },
  EVENTS,
);
