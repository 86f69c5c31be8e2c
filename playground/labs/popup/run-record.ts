import { type ReadonlySignal, signal } from '@preact/signals';
import type { SessionResource } from 'ofage/mock';
import {
  type PopupEntry,
  type SdkReport,
  type Truth,
  toReport,
  toReportLine,
} from './scenarios.ts';

/** A run as the page shows it. */
export interface RunRecord {
  readonly entries: ReadonlySignal<readonly PopupEntry[]>;
  readonly report: ReadonlySignal<SdkReport | null>;
  readonly truth: ReadonlySignal<Truth>;
  note(who: PopupEntry['who'], text: string): void;
  /** Records the result or the error of `verify()`. */
  noteReport(kind: 'resolved' | 'rejected', value: unknown): void;
  noteSession(session: SessionResource): void;
  noteWindow(isClosed: boolean): void;
  /** Ignores all further entries. */
  end(): void;
}

export function createRunRecord(): RunRecord {
  const startedAtMs = performance.now();
  const entries = signal<readonly PopupEntry[]>([]);
  const report = signal<SdkReport | null>(null);
  const truth = signal<Truth>({ sessionStatus: null, isPageOpen: false, handleSaysClosed: null });
  let isEnded = false;

  const nowMs = (): number => performance.now() - startedAtMs;
  const note: RunRecord['note'] = (who, text) => {
    if (!isEnded) entries.value = [...entries.peek(), { atMs: nowMs(), who, text }];
  };
  return {
    entries,
    report,
    truth,
    note,
    noteReport(kind, value) {
      if (isEnded) return;
      report.value = toReport(kind, value, nowMs());
      note('sdk', `verify() ${toReportLine(report.value).replace(/, [^,]*$/, '')}`);
    },
    noteSession({ status, openDevices }) {
      const { sessionStatus, isPageOpen: wasOpen } = truth.peek();
      const isPageOpen = openDevices.length > 0;
      if (sessionStatus === null) note('service', 'created a session');
      if (isPageOpen !== wasOpen) {
        note('service', isPageOpen ? 'the hosted page is open' : 'the hosted page is closed');
      }
      if (sessionStatus !== null && status !== sessionStatus) note('service', `session ${status}`);
      truth.value = { ...truth.peek(), sessionStatus: status, isPageOpen };
    },
    noteWindow(isClosed) {
      if (truth.peek().handleSaysClosed === isClosed) return;
      truth.value = { ...truth.peek(), handleSaysClosed: isClosed };
      note('window', `closed === ${isClosed}`);
    },
    end() {
      isEnded = true;
    },
  };
}
