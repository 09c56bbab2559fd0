import { describe, expect, it } from 'vitest';
import { chooseStoreAddresses } from './addresses.rules.ts';

const simulatorsUrl = 'http://localhost:8090';
const simulated = { url: 'http://localhost:8090/appstore', isShared: false };
const real = { url: 'https://itunes.apple.com', isShared: true };
const own = 'http://mirror.example';

describe('chooseStoreAddresses', () => {
  it.each([
    ['auto', { simulatorsUrl }, [simulated, real]],
    ['auto', {}, [real]],
    ['real', { simulatorsUrl }, [real]],
    ['simulated', { simulatorsUrl }, [simulated]],
    ['simulated', {}, []],
    ['auto', { simulatorsUrl, appStoreUrl: own }, [{ url: own, isShared: false }]],
    ['simulated', { appStoreUrl: own }, [{ url: own, isShared: false }]],
    ['real', { appStoreUrl: real.url }, [real]],
  ] as const)('%s with %j asks %j', (mode, given, apple) => {
    const none = { appStoreUrl: undefined, googlePlayUrl: undefined, simulatorsUrl: undefined };
    expect(chooseStoreAddresses({ mode, ...none, ...given }).apple).toEqual(apple);
  });
});
