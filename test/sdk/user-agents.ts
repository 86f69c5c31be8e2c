/** User agents, as reported by users of these apps and browsers. No app was tried on a device. */

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/156.0.0.0 Mobile Safari/537.36';

/** Browsers inside other apps, and an app on the home screen, whose user agent looks the same. */
export const IN_APP_BROWSERS: readonly (readonly [app: string, userAgent: string])[] = [
  ['Facebook', `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/440.0.0.0;FBDV/iPhone17,1]`],
  ['Instagram', `${IPHONE} Mobile/15E148 Instagram 360.0.0.0 (iPhone17,1; iOS 18_5; de_DE)`],
  ['Messenger', `${IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/500.0]`],
  ['TikTok', `${IPHONE} Mobile/15E148 musical_ly_38.0.0 JsSdk/2.0 BytedanceWebview/d8a21c6`],
  ['LinkedIn', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30`],
  ['X', `${IPHONE} Mobile/15E148 Twitter for iPhone/10.60`],
  ['Snapchat', `${IPHONE} Mobile/15E148 Snapchat/13.30.0.40 (like Safari, panda)`],
  ['Pinterest', `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
  ['Reddit', `${IPHONE} Mobile/15E148`],
  ['WeChat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.50(0x1800323d) NetType/WIFI Language/de`],
  ['LINE', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 Line/15.3.0`],
  ['an app on the home screen of iOS', `${IPHONE} Mobile/15E148`],
  [
    'an app on an iPad',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  ],
  ['Instagram on Android', `${ANDROID} Instagram 360.0.0.0 Android`],
  ['LinkedIn on Android', `${ANDROID} [LinkedInApp]`],
  [
    'WeChat on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20 WindowsWechat',
  ],
];

export const BROWSERS: readonly (readonly [browser: string, userAgent: string])[] = [
  [
    'Chrome on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  ],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'],
  [
    'Firefox on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:153.0) Gecko/20100101 Firefox/153.0',
  ],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  ],
  ['Safari on iOS', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on iOS', `${IPHONE} CriOS/156.0.0.0 Mobile/15E148 Safari/604.1`],
  ['Firefox on iOS', `${IPHONE} FxiOS/153.0 Mobile/15E148 Safari/605.1.15`],
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
  ],
];
