/** Returns an environment with two routes in the format of Mockoon. */
export function toEnvironment(port: number): object {
  const response = (statusCode: number, body: string) => ({
    uuid: crypto.randomUUID(),
    body,
    latency: 0,
    statusCode,
    label: '',
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  });
  const route = (endpoint: string, answer: object) => ({
    uuid: crypto.randomUUID(),
    type: 'http',
    documentation: '',
    method: 'post',
    endpoint,
    responses: [answer],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  });
  const routes = [
    route(
      'api/v1/sessions/create',
      response(201, `{"sessionId":"{{uuid}}","externalUserId":"{{body 'externalUserId'}}"}`),
    ),
    route(
      'api/v1/sessions/validate',
      response(200, `{"sessionId":"{{body 'sessionId'}}","status":"verified","verified":true}`),
    ),
  ];
  return {
    uuid: crypto.randomUUID(),
    lastMigration: 33,
    name: 'bench',
    endpointPrefix: '',
    latency: 0,
    port,
    hostname: '127.0.0.1',
    folders: [],
    routes,
    rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: {
      enabled: false,
      type: 'CERT',
      pfxPath: '',
      certPath: '',
      keyPath: '',
      caPath: '',
      passphrase: '',
    },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [],
    callbacks: [],
  };
}
