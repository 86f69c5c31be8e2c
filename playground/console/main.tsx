import { startPage } from '../shared/console/start-page.tsx';
import { App } from './app.tsx';
import { rememberPlaces } from './places.ts';

rememberPlaces();

void startPage('console', (provider) => <App provider={provider} />);
