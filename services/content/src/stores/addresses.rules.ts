export type StoreMode = 'auto' | 'real' | 'simulated';

type Address = { url: string; isShared: boolean };

export type StoreAddressSettings = {
  mode: StoreMode;
  appStoreUrl: string | undefined;
  googlePlayUrl: string | undefined;
  simulatorsUrl: string | undefined;
};

const realStores = { apple: 'https://itunes.apple.com', google: 'https://play.google.com' } as const;

/**
 * A configured address replaces both the real store and the simulator. `auto` queries the simulator first:
 * its ids exist in no real store, and it is on this machine.
 */
export function chooseStoreAddresses(settings: StoreAddressSettings): {
  apple: Address[];
  google: Address[];
} {
  const { mode, simulatorsUrl } = settings;
  const choose = (configured: string | undefined, real: string, path: string): Address[] => {
    if (configured !== undefined) return [{ url: configured, isShared: configured === real }];
    const simulated =
      simulatorsUrl === undefined ? [] : [{ url: `${simulatorsUrl}/${path}`, isShared: false }];
    if (mode === 'simulated') return simulated;
    return [...(mode === 'auto' ? simulated : []), { url: real, isShared: true }];
  };
  return {
    apple: choose(settings.appStoreUrl, realStores.apple, 'appstore'),
    google: choose(settings.googlePlayUrl, realStores.google, 'googleplay'),
  };
}
