import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Draws the code black on white in both colour schemes, because some scanners cannot read inverted codes.
 */
export function QrCode({ url, label }: { url: string; label: string }): JSX.Element {
  const rows = useSignal<readonly (readonly boolean[])[]>([]);
  useEffect(() => {
    // The encoder is loaded on demand, because most pages do not need it.
    void import('qr').then(({ encodeQR }) => {
      rows.value = encodeQR(url, 'raw', { border: 4 });
    });
  }, [rows, url]);
  const size = rows.value.length;
  const path = rows.value
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <div class="qr" role="img" aria-label={label} data-testid="qr" data-modules={size}>
      {size > 0 && (
        <svg viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" aria-hidden="true">
          <path d={path} />
        </svg>
      )}
    </div>
  );
}
