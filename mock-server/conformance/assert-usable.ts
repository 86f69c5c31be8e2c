import { openAccount } from './create-world.ts';
import { CREATE, describeAnswer, post } from './exchange.ts';
import { describeError } from './outcome.ts';
import { send } from './run-check.ts';
import type { Setting } from './setting.ts';

/**
 * Creates a session with each key, because without a usable address, key or return URL nearly every check
 * would fail for this one reason.
 * @throws {Error} whose message names the reason and the option to change
 */
export async function assertUsable(setting: Setting): Promise<void> {
  const base = setting.apiBase.href;
  const { account } = await openAccount(setting);
  const { secretKey, publishableKey, returnUrl } = account;
  assertKinds(secretKey, publishableKey);
  const origin = setting.driver.createAccount ? "of the driver's createAccount" : 'that was passed';
  for (const [kind, option, key] of [
    ['secret', '--secret-key', secretKey],
    ['publishable', '--publishable-key', publishableKey],
  ] as const) {
    const answer = await send(setting, post(CREATE, { returnUrl }, key)).catch((cause: unknown) => {
      throw new Error(`Cannot reach the API at ${base}: ${describeError(cause)}`, { cause });
    });
    const reason = describeAnswer(answer);
    if (answer.status === 404)
      throw new Error(
        `Cannot check ${base}: it has no ${CREATE} (${reason}). The base URL must end with the path of the API, such as /api/v1 (apiBase, --api)`,
      );
    if (answer.status === 401)
      throw new Error(
        `Cannot check ${base}: it refuses the ${kind} key ${origin} (${reason}). Use the keys of one account (${kind}Key, ${option})`,
      );
    if (answer.status === 400)
      throw new Error(
        `Cannot check ${base}: it refuses a session with the returnUrl ${returnUrl} (${reason}). Use an address that the account allows (returnUrl, --return-url)`,
      );
  }
}

/** Checks that neither key is of the other kind, because a service accepts both for some requests. */
function assertKinds(secretKey: string, publishableKey: string): void {
  const isSecretWrong = secretKey.startsWith('pk_');
  const isPublishableWrong = publishableKey.startsWith('sk_');
  if (isSecretWrong && isPublishableWrong)
    throw new Error(
      'The keys are swapped: the secretKey (--secret-key, OFAGE_SECRET_KEY) begins with sk_, and the publishableKey (--publishable-key, OFAGE_PUBLISHABLE_KEY) with pk_',
    );
  if (isSecretWrong)
    throw new Error(
      'The secretKey (--secret-key, OFAGE_SECRET_KEY) is a publishable key: it must begin with sk_, not pk_',
    );
  if (isPublishableWrong)
    throw new Error(
      'The publishableKey (--publishable-key, OFAGE_PUBLISHABLE_KEY) is a secret key: it must begin with pk_, not sk_',
    );
}
