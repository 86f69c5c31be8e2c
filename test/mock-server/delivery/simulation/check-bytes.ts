import { hash } from 'node:crypto';
import type { History } from './history.ts';
import type { SentAttempt } from './sent-attempts.ts';
import { signNow } from './network.ts';
import type { Report } from './report.ts';

/** Checks I8 to I11: the bytes of each request and its URL. */
export function checkBytes(history: History, report: Report): void {
  for (const { url, atMs } of history.strays)
    report.fail('I8', `a request to ${url} at ${history.formatTime(atMs)} belongs to no attempt`);
  const first = new Map<string, { text: string; sha256: string }>();
  for (const one of history.attempts) {
    checkSignature(history, report, one);
    const { sent, delivery, event, record } = one;
    if (sent.headers['content-type'] !== 'application/json')
      report.fail('I9', 'the content type is not JSON');
    if (!delivery || !event) continue;

    const known = first.get(event.id);
    if (known) report.saw('I9');
    if (known && known.text !== sent.bodyText) report.fail('I9', 'the bytes changed');
    if (!known) checkEnvelope(history, report, one);
    const bytes = known ?? { text: sent.bodyText, sha256: hash('sha256', sent.bodyText) };
    first.set(event.id, bytes);
    if (record && record.bodySha256 !== bytes.sha256) report.fail('I9', 'a wrong hash is recorded');
    checkAddress(history, report, one);
  }
}

/**
 * Checks I10: the signature was made with the secret at the time of the claim, or with one that was set in
 * the same commit.
 */
function checkSignature(
  history: History,
  report: Report,
  { owner, claimed, sent }: SentAttempt,
): void {
  const { commit } = claimed;
  const secrets = [commit - 1, commit].flatMap((at) => {
    const config = history.configAt(owner, at);
    return config ? [config.secret] : [];
  });
  report.saw('I10');
  const signature = sent.headers['x-ofage-signature'];
  const isRight = secrets.some((secret) =>
    secret === null ? signature === undefined : signature === signNow(sent.bodyText, secret),
  );
  if (!isRight)
    report.fail('I10', `a request at ${history.formatTime(sent.atMs)} has a wrong signature`);
}

function checkEnvelope(history: History, report: Report, { event, sent }: SentAttempt): void {
  const { id, kind, tenantId, createdAtMs, sessionId } = event!;
  const body = JSON.parse(sent.bodyText) as Record<string, unknown> & {
    data: Record<string, unknown>;
  };
  const session = history.sessions.get(sessionId);
  report.saw('I11');
  // The first attempt of session.started creates and stores its bytes. Whether that request was sent before
  // a crash cannot be known afterwards.
  const expectedMs =
    kind === 'session.started'
      ? history.firstClaimMs(id)
      : kind === 'session.timeout'
        ? session?.expiresAtMs
        : createdAtMs;
  if (Date.parse(String(body['timestamp'])) !== expectedMs)
    report.fail('I11', `${kind} says ${String(body['timestamp'])}`);
  const happenedAtMs = kind === 'session.started' ? session?.createdAtMs : session?.settledAtMs;
  if (Date.parse(String(body.data['timestamp'])) !== happenedAtMs)
    report.fail('I11', `${kind} happened at ${String(body.data['timestamp'])}`);
  if (body['eventId'] !== (kind === 'session.started' ? undefined : id))
    report.fail('I9', 'a wrong eventId');
  if (body['test'] !== false || body['tenantId'] !== tenantId)
    report.fail('I9', 'a wrong envelope');
}

/** Checks I8: the request goes to the URL that the endpoint had when the event was created. */
function checkAddress(
  history: History,
  report: Report,
  { delivery, owner, url }: SentAttempt,
): void {
  const [made] = history.deliveries.get(delivery!.id)!;
  const urls = [made!.commit - 1, made!.commit].map((at) => history.configAt(owner, at)?.url);
  if (history.moves(owner).length > 1) report.saw('I8');
  if (!urls.includes(url)) report.fail('I8', `${url} instead of ${String(urls[1])}`);
}
