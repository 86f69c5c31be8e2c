import type { Doctor } from '../control/doctor.ts';
import type { ObservationInput } from '../control/observations.ts';
import type { AddControlRoute } from './control-route.ts';
import { doctorQuery, parseQuery } from './pages.ts';
import { respond } from './respond.ts';

/** Routes that judge an integration, and take what the service cannot see of it. */
export function addDoctorRoutes(on: AddControlRoute, control: Doctor): void {
  on('GET', '/doctor', async (c) =>
    respond(c, 200, await control.doctor(parseQuery(c, doctorQuery))),
  );
  on('GET', '/observations', async (c) => respond(c, 200, { items: await control.observations() }));
  on('POST', '/observations', async (c, body) =>
    respond(c, 201, await control.addObservation(body() as ObservationInput)),
  );
}
