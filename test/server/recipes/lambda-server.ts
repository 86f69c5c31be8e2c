import { createServer, type IncomingMessage, type Server } from 'node:http';
import type {
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyResult,
} from 'aws-lambda';

type LambdaEvent = APIGatewayProxyEvent | APIGatewayProxyEventV2;
type Handler = (event: LambdaEvent) => Promise<APIGatewayProxyResult>;

/**
 * Creates a server that passes each request to the function as the event that API Gateway would send, and
 * responds with its result.
 */
export function createLambdaServer(
  handler: Handler,
  { format, isBase64Encoded }: { format: '1.0' | '2.0'; isBase64Encoded: boolean },
): Server {
  return createServer(async (request, response) => {
    const bytes = await request.toArray().then(Buffer.concat);
    const body = bytes.toString(isBase64Encoded ? 'base64' : 'utf8');
    const toEvent = format === '1.0' ? toFormat1 : toFormat2;
    const result = await handler(toEvent(request, { body, isBase64Encoded }));
    response.writeHead(result.statusCode, result.headers as Record<string, string>);
    response.end(result.body);
  });
}

type Body = Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> & { body: string };

/** Returns the event of a REST API, which has the header names as the client sent them. */
function toFormat1({ method = '', headers }: IncomingMessage, body: Body): LambdaEvent {
  const sent = Object.entries(headers).map(([name, value]) => [toTitle(name), String(value)]);
  return {
    ...body,
    httpMethod: method,
    headers: Object.fromEntries(sent),
  } as Partial<APIGatewayProxyEvent> as APIGatewayProxyEvent;
}

/** Returns the event of an HTTP API or of a function URL, which has header names in lower case. */
function toFormat2({ method = '', headers }: IncomingMessage, body: Body): LambdaEvent {
  return {
    ...body,
    version: '2.0',
    headers: headers as Record<string, string>,
    requestContext: { http: { method } },
  } as unknown as APIGatewayProxyEventV2;
}

const toTitle = (name: string): string => name.replace(/\b[a-z]/g, (first) => first.toUpperCase());
