import type { JSX } from 'preact';
import { ErrorNote, Panel } from '../shared/console/parts.tsx';
import { QrCode } from '../shared/qr-code.tsx';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import * as queries from './queries.ts';
import { toRelative } from './relative-time.ts';

/**
 * Shows the address at which other devices reach the mock, with the QR code of the newest pending session.
 * Test ids: public-address, last-request, qr, handoff-link.
 */
export function PublicAddress({ context }: { context: Context }): JSX.Element | null {
  const { client, live } = context.provider;
  const { data, error } = useQuery(live, queries.publicAddress(client));
  if (!data || data.url === null) return <ErrorNote text={error} />;
  const { url, port, lastRequestAt, handoffUrl } = data;
  return (
    <Panel title="On a phone" testId="public-address">
      <div class="on-a-phone">
        {handoffUrl !== null && (
          <QrCode url={handoffUrl} label="QR code with the link of the newest pending session" />
        )}
        <div>
          <p>
            <a href={url}>{url}</a> leads to port {port} of this computer.
          </p>
          <p data-testid="last-request">
            {lastRequestAt === null
              ? `Nothing has arrived yet: does the tunnel lead to port ${port}?`
              : // The time of a request is real time, unlike the times of the service.
                `The last request arrived ${toRelative(lastRequestAt, Date.now())}.`}
          </p>
          {handoffUrl === null ? (
            <p class="muted">No session is pending. Start one to see its code here.</p>
          ) : (
            <p>
              Scan the code to continue the newest session on a phone, or{' '}
              <a href={handoffUrl} target="_blank" rel="noopener" data-testid="handoff-link">
                open its link
              </a>
              .
            </p>
          )}
        </div>
      </div>
    </Panel>
  );
}
