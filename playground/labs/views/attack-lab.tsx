import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Json, ErrorNote } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import type { Provider } from '../../shared/provider.ts';
import { siteUrl } from '../../shared/site.ts';
import { type Attack, type Excerpt, takeExcerpt } from '../attack/attack.ts';
import { ATTACKS } from '../attack/attacks.ts';
import type { Exchange, Side } from '../attack/world.ts';
import type { ShopLab } from '../shop-lab.ts';
import { type Outcome, type Outcomes, toScore, useAttacks } from './use-attacks.ts';

export function AttackLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { isReady, loadError, outcomes, run, runAll } = useAttacks(props.provider, props.shop);
  return (
    <>
      <ErrorNote text={loadError} />
      <div class="row">
        <Button variant="primary" busy={!isReady} onPress={() => void runAll()} testId="run-all">
          Run all {ATTACKS.length}
        </Button>
        <ScoreLine outcomes={outcomes} />
      </div>
      <ul class="panel" data-testid="attacks" data-ready={String(isReady)}>
        {ATTACKS.map((attack) => (
          <li key={attack.id} class="attack" data-testid={`attack-${attack.id}`}>
            <div>
              <h2>{attack.title}</h2>
              <p class="muted">{attack.story}</p>
            </div>
            <Verdicts outcome={outcomes[attack.id]} />
            <Button
              small
              aria-label={`Run attack: ${attack.title}`}
              busy={!isReady}
              onPress={() => void run(attack)}
              testId={`run-${attack.id}`}
            >
              Run
            </Button>
            <Result attack={attack} outcome={outcomes[attack.id]} />
          </li>
        ))}
      </ul>
      <p class="muted">
        The careless shop is wrong on purpose. Do not copy it. The{' '}
        <a href={siteUrl('console/#doctor?labs=1')}>doctor finds its mistakes</a>.
      </p>
    </>
  );
}

/** Shows how many attacks each shop has stopped. */
function ScoreLine({ outcomes }: { outcomes: Outcomes }): JSX.Element {
  const { done, all, shopStopped, carelessStopped } = toScore(outcomes);
  return (
    <div class="row" role="status" data-testid="score">
      {done > 0 && (
        <>
          <Chip tone={shopStopped === done ? 'good' : 'bad'} testId="score-shop">
            Demo shop: stopped {shopStopped} of {done}
          </Chip>
          <Chip tone={carelessStopped === done ? 'good' : 'bad'} testId="score-careless">
            Careless shop: stopped {carelessStopped} of {done}
          </Chip>
          {done < all && (
            <span class="muted">
              {done} of {all} attacks run
            </span>
          )}
        </>
      )}
    </div>
  );
}

function Verdicts({ outcome }: { outcome: Outcome | undefined }): JSX.Element | null {
  if (outcome?.state !== 'done') return null;
  const { shop, careless } = outcome.report;
  return (
    <div class="row">
      <Chip tone={shop.isIn ? 'bad' : 'good'}>Demo shop: {shop.isIn ? 'let in' : 'stopped'}</Chip>
      <Chip tone={careless.isIn ? 'bad' : 'good'}>
        Careless shop: {careless.isIn ? 'let in' : 'stopped'}
      </Chip>
    </div>
  );
}

function Result(props: { attack: Attack; outcome: Outcome | undefined }): JSX.Element | null {
  const { attack, outcome } = props;
  const isOpen = useSignal(false);
  if (!outcome) return null;
  if (outcome.state === 'running') {
    return (
      <p class="muted" role="status">
        Running…
      </p>
    );
  }
  if (outcome.state === 'broken') {
    return <ErrorNote text={`The attack could not run. ${outcome.message}`} />;
  }
  const { shop, careless } = outcome.report;
  // An attack that the demo shop should have stopped needs attention. The others are closed.
  return (
    <details open={shop.isIn}>
      <summary>Details</summary>
      <div class="unfolded">
        <div class="versus">
          <SideView name="The demo shop" id="shop" side={shop} />
          <SideView name="The careless shop" id="careless" side={careless} />
        </div>
        <p>
          <strong>Why the shop {shop.isIn ? 'should have stopped it' : 'stopped it'}.</strong>{' '}
          {attack.why}
        </p>
        <Code attack={attack} isOpen={isOpen} />
      </div>
    </details>
  );
}

function SideView(props: { name: string; id: string; side: Side }): JSX.Element {
  const { name, id, side } = props;
  return (
    <section
      class={side.isIn ? 'versus__side versus__side--in' : 'versus__side'}
      aria-label={name}
      data-testid={`side-${id}`}
      data-in={String(side.isIn)}
    >
      <div class="row">
        <h3>{name}</h3>
        <Chip tone={side.isIn ? 'bad' : 'good'}>
          {side.isIn ? 'let the attacker in' : 'stopped the attack'}
        </Chip>
      </div>
      <p>{side.outcome}</p>
      {side.exchanges.map((exchange, at) => (
        <ExchangeView key={at} exchange={exchange} />
      ))}
    </section>
  );
}

function ExchangeView({ exchange }: { exchange: Exchange }): JSX.Element {
  const { title, method, url, headers, body, status, answer } = exchange;
  const { pathname, search } = new URL(url, location.href);
  const path = pathname + search;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary>
        <span>{title}</span>{' '}
        <code>
          {method} {pathname} → {status}
        </code>
      </summary>
      <Json
        label={`Request: ${title}`}
        value={[`${method} ${path}`, ...lines, ...(body === null ? [] : ['', body])].join('\n')}
      />
      <Json label={`Response: ${title}`} value={answer ?? `${status}, no body`} />
    </details>
  );
}

function Code({ attack, isOpen }: { attack: Attack; isOpen: Signal<boolean> }): JSX.Element {
  const { shop, careless } = attack.code;
  return (
    <details
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>Code that makes the difference</summary>
      <div class="versus">
        {[shop, careless].map((excerpt) => (
          <figure class="code" key={excerpt.file}>
            <figcaption>
              <code>{excerpt.file}</code>
            </figcaption>
            <Json label={`Code of ${excerpt.file}`} value={codeOf(excerpt)} />
          </figure>
        ))}
      </div>
    </details>
  );
}

/** The source files of the two shops that the attacks run against. */
const SOURCES = import.meta.glob<string>(
  ['../../reference-backend/{app,verification,webhooks}.ts', '../../demo-backend/careless-shop.ts'],
  { query: '?raw', import: 'default', eager: true },
);

function codeOf(excerpt: Excerpt): string {
  const folder =
    excerpt.file === 'careless-shop.ts' ? '../../demo-backend' : '../../reference-backend';
  return takeExcerpt(SOURCES[`${folder}/${excerpt.file}`] ?? '', excerpt) ?? '';
}
