import { startPage } from '../shared/console/start-page.tsx';
import { App } from './views/app.tsx';

void startPage('doctor', (provider) => <App provider={provider} />);
