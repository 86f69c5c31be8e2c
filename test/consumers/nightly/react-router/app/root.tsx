import type { ReactNode } from 'react';
import { Outlet, Scripts } from 'react-router';

export default function Root(): ReactNode {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
