import type {
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyResult,
} from 'aws-lambda';
import { createWebhookHandler } from 'ofage/server';

const webhooks = createWebhookHandler({
  secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
  onEvent: (event) => console.log(event.event, event.data.sessionId),
});

export async function handler(
  event: APIGatewayProxyEvent | APIGatewayProxyEventV2,
): Promise<APIGatewayProxyResult> {
  // A REST API sends format 1.0. An HTTP API and a function URL send format 2.0.
  const method = 'httpMethod' in event ? event.httpMethod : event.requestContext.http.method;
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const { status, headers } = await webhooks.handle({ method, headers: event.headers, body });
  return { statusCode: status, headers, body: '' };
}
