import type { DoctorUntried } from 'ofage-mock';
import type { JSX } from 'preact';
import { toCommandLine } from '../../mock-server/words/command-line.ts';
import { Copy } from '../shared/console/parts.tsx';
import { Button } from '../shared/kit/button.tsx';
import { announce, attempt } from '../shared/kit/toast.tsx';
import { serviceUrl } from '../shared/site.ts';
import type { Context } from './context.ts';
import type { RouteTarget } from './route.ts';

/** The pages on which a step is taken. */
const PLACES: Partial<Record<DoctorUntried['code'], { name: string; to: RouteTarget }>> = {
  key_unused: { name: 'Open keys', to: { page: 'keys' } },
  webhook_unreceived: { name: 'Open webhooks', to: { page: 'webhooks' } },
};

/** Lists what has not happened yet, each with what tries it. */
export function Untried(props: {
  context: Context;
  untried: readonly DoctorUntried[];
}): JSX.Element | null {
  const { context, untried } = props;
  if (untried.length === 0) return null;
  return (
    <section class="column" aria-labelledby="group-untried" data-testid="untried">
      <h2 id="group-untried">Not tried yet</h2>
      <p class="muted">Nothing is known about what your page and server have never done.</p>
      <ul class="lines">
        {untried.map((one) => (
          <li key={one.code} data-testid="untried-line" data-code={one.code}>
            <span class="lines__text">
              <strong>{one.title}.</strong> {one.advice}
            </span>
            <TryIt context={context} untried={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The button or the link that tries it, or the command to copy. */
function TryIt(props: { context: Context; untried: DoctorUntried }): JSX.Element | null {
  const { context, untried } = props;
  const { code, outcome, url, command } = untried;
  const { client } = context.provider;
  if (outcome !== null) {
    const queue = (): Promise<boolean> =>
      attempt(async () => {
        await client.queueNextOutcomes(context.tenant.id, [outcome]);
        announce(`Queued: ${outcome}. Now start a verification in your page`);
      });
    return (
      <Button small onPress={queue} testId={`try-${code}`}>
        Queue {outcome}
      </Button>
    );
  }
  if (url !== null) {
    return (
      <a href={url} target="_blank" rel="noreferrer" data-testid={`try-${code}`}>
        Open forged return
      </a>
    );
  }
  const place = PLACES[code];
  if (place) return <a href={context.href(place.to)}>{place.name}</a>;
  return command === null ? null : (
    <Copy text={toCommandLine(command, serviceUrl(''))} what="command" />
  );
}
