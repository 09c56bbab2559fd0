import { expect, it } from 'vitest';
import { encryptPush, isReceiver } from './encrypt.rules.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
const p256dh = bytes(
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
);
const auth = bytes('BTBZMqHH6r4Tts7J_aSIgg');

it('encrypts the example of RFC 8291, appendix A, to the same bytes', () => {
  const drawn = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  };
  const body = encryptPush('When I grow up, I want to be a watermelon', { p256dh, auth }, drawn);
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml' +
      'mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT' +
      'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('a receiver has a point on P-256 and 16 bytes', () => {
  expect(isReceiver({ p256dh, auth })).toBe(true);
  const off = Buffer.from(p256dh);
  off[64] = (off[64] ?? 0) ^ 1;
  expect(isReceiver({ p256dh: off, auth })).toBe(false);
  expect(isReceiver({ p256dh: p256dh.subarray(0, 33), auth })).toBe(false);
  expect(isReceiver({ p256dh, auth: auth.subarray(1) })).toBe(false);
});
