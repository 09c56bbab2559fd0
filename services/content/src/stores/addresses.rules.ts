export type StoreMode = 'auto' | 'real' | 'simulated';

type Address = { url: string; isShared: boolean };

export type StoreAddressSettings = {
  mode: StoreMode;
  appStoreUrl: string | undefined;
  googlePlayUrl: string | undefined;
  simulatorsUrl: string | undefined;
};

/** What the stores themselves answer under. */
const realStores = { apple: 'https://itunes.apple.com', google: 'https://play.google.com' } as const;

/**
 * The addresses that are asked for a listing, in order. A configured address replaces both the real store and
 * the simulator. `auto` asks the simulator first: its ids exist in no real store, and it is on this machine.
 * A store without an address has an empty list.
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
