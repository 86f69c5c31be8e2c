/**
 * Replaces the package tough-cookie in the static playground. MSW stores the cookies of mocked responses
 * with it, but no response of the playground sets a cookie. The package contains the list of all public
 * suffixes, which is a quarter of the whole service.
 */
export class MemoryCookieStore {
  readonly idx = {};
}

export class CookieJar {
  getCookiesSync(): readonly [] {
    return [];
  }

  setCookie(): void {}
}

export const Cookie = { fromJSON: (): null => null };
