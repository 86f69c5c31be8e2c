import { startPage } from '../shared/console/start-page.tsx';
import { App } from './views/app.tsx';

void startPage('inspector', (provider) => <App provider={provider} />);
