import type { ObservationResource } from '../api/doctor.ts';
import type { ObservationKind } from '../store/observations.ts';
import { type DoctorCheck, type Pass, toObservationEvidence, toPass } from './finding.ts';
import { duration, some } from './format.ts';
import { toCount } from '../words/counts.ts';
import { isLabSession, isWebhookProcessed, type Records, webhookResultMs } from './records.ts';

/** Checks of the observations that the merchant's side reported. */
export const accessChecks = {
  access_not_verified: {
    why: 'A shopper got access without a verified age, which the age check is meant to prevent.',
    examine(records) {
      const wrong = observationsOf(records, 'access_granted').filter(({ sessionId }) => {
        const session = findSession(records, sessionId);
        return session !== undefined && session.status !== 'verified';
      });
      if (wrong.length === 0) return null;
      const statuses = wrong.map(
        ({ sessionId }) => `${sessionId} (${findSession(records, sessionId)?.status})`,
      );
      return {
        severity: 'problem',
        title: 'Access was given without a verified result',
        detail: `${toCount(wrong.length, 'time')}. Sessions: ${some(statuses)}.`,
        advice:
          'Give access only if "verified" in the response of validate is true. Treat every other status and every error as a refusal.',
        evidence: wrong.map(toObservationEvidence),
      };
    },
    passes: passGranted,
  },

  access_before_result: {
    why: 'Until validate is called, anyone who types the return URL by hand gets access.',
    examine(records) {
      const early = observationsOf(records, 'access_granted').flatMap((observation) => {
        const session = findSession(records, observation.sessionId);
        if (session?.status !== 'verified') return [];
        const grantedMs = Date.parse(observation.at);
        const { id, validatedAt } = session;
        const earlyMs = (validatedAt === null ? Infinity : Date.parse(validatedAt)) - grantedMs;
        const isKnownByWebhook = (webhookResultMs(records, id) ?? Infinity) <= grantedMs;
        // A merchant that never calls validate is assumed to rely on the webhook. A merchant that calls it
        // after giving access relied on the webhook only if it reported the webhook as processed.
        const isRelied =
          isKnownByWebhook && (earlyMs === Infinity || isWebhookProcessed(records, id));
        return earlyMs > 0 && !isRelied ? [{ observation, earlyMs, isKnownByWebhook }] : [];
      });
      if (early.length === 0) return null;
      const when = early.map(({ observation, earlyMs, isKnownByWebhook }) =>
        earlyMs === Infinity
          ? `${observation.sessionId} (never validated)`
          : `${observation.sessionId} (${duration(earlyMs)} before validate${isKnownByWebhook ? ', after the webhook' : ''})`,
      );
      return {
        severity: early.every(({ isKnownByWebhook }) => isKnownByWebhook) ? 'warning' : 'problem',
        title: 'Access was given before validate was called',
        detail: `${toCount(early.length, 'time')}. Sessions: ${some(when)}.`,
        advice:
          'Call validate on your server first, wait for its response, and give access based on it. A webhook with a verified signature works as well: report it as webhook_processed.',
        evidence: early.map(({ observation }) => toObservationEvidence(observation)),
      };
    },
    passes: passGranted,
  },

  url_status_trusted: {
    why: 'The return URL comes from the browser, where anyone can type status=verified.',
    examine(records) {
      const found = observationsOf(records, 'url_status_trusted');
      if (found.length === 0) return null;
      return {
        severity: 'problem',
        title: 'The status in the return URL was trusted',
        detail: `${toCount(found.length, 'time')}. Sessions: ${some(found.map(({ sessionId }) => sessionId))}.`,
        advice:
          'Use only sessionId from the return URL, and call validate on your server for the result.',
        evidence: found.map((one) => ({ ...toObservationEvidence(one), subject: 'access' })),
      };
    },
    passes: (records) => {
      const trusted = new Set(
        observationsOf(records, 'url_status_trusted').map(({ sessionId }) => sessionId),
      );
      // A shop that does not report its grants shows by validate that it no longer uses the status.
      const validated = records.sessions
        .filter((session) => !isLabSession(session))
        .flatMap(({ id, validatedAt }) =>
          validatedAt === null ? [] : [{ sessionId: id, at: validatedAt }],
        );
      return [...merchantObservationsOf(records, 'access_granted'), ...validated]
        .filter(({ sessionId }) => !trusted.has(sessionId))
        .map(({ at }) => ({ subject: 'access', atMs: Date.parse(at) }));
    },
  },

  event_processed_twice: {
    why: 'Events are delivered at least once, so a receiver that does its work for every request may repeat it.',
    examine(records) {
      const byEvent = new Map<string, ObservationResource[]>();
      for (const observation of observationsOf(records, 'webhook_processed')) {
        // Two services that each do a part of the work do not count as a repetition.
        const key = JSON.stringify([observation.eventId, observation.by]);
        byEvent.set(key, [...(byEvent.get(key) ?? []), observation]);
      }
      const repeated = [...byEvent.values()].filter(({ length }) => length > 1);
      if (repeated.length === 0) return null;
      const events = repeated.map((times) => `${times[0]?.eventId} (${times.length} times)`);
      return {
        severity: 'problem',
        title: 'An event was processed more than once',
        detail: `${toCount(repeated.length, 'event')}: ${some(events)}.`,
        advice:
          'Store each eventId in the same transaction as the work, and respond with 2xx without repeating the work when the same eventId arrives again.',
        evidence: repeated.flat().map(toObservationEvidence),
      };
    },
    passes: (records) =>
      merchantObservationsOf(records, 'webhook_processed').map(toObservationEvidence).map(toPass),
  },
} as const satisfies Record<string, DoctorCheck>;

function observationsOf(records: Records, kind: ObservationKind): ObservationResource[] {
  return records.observations.filter((observation) => observation.kind === kind);
}

/**
 * Leaves out the labs. They attack a careless shop and then the demo shop, which does not show that the
 * careless one was mended.
 */
function merchantObservationsOf(records: Records, kind: ObservationKind): ObservationResource[] {
  return observationsOf(records, kind).filter(({ sessionId }) => {
    const session = findSession(records, sessionId);
    return !session || !isLabSession(session);
  });
}

/** Returns the grants of access to shoppers whose session is verified. */
function passGranted(records: Records): Pass[] {
  return merchantObservationsOf(records, 'access_granted')
    .filter(({ sessionId }) => findSession(records, sessionId)?.status === 'verified')
    .map(toObservationEvidence)
    .map(toPass);
}

function findSession(records: Records, id: string): Records['sessions'][number] | undefined {
  return records.sessions.find((session) => session.id === id);
}
