import type { ReactNode } from 'react';

export const metadata = { title: 'Wine shop', icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }): ReactNode {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
