import { startPage } from '../shared/console/start-page.tsx';
import { rememberPlaces } from './places.ts';
import { App } from './views/app.tsx';

rememberPlaces();

void startPage('dashboard', (provider) => <App provider={provider} />);
