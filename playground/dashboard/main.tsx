import { startPage } from '../shared/console/start-page.tsx';
import { App } from './views/app.tsx';

void startPage('dashboard', (provider) => <App provider={provider} />);
