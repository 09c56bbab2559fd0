import { expect, it } from 'vitest';
import { readPostUrl } from './post-url.rules.ts';

it.each([
  ['https://www.youtube.com/watch?v=dQsim000001&t=3s', 'youtube', 'dQsim000001'],
  ['https://youtube.com/shorts/dQsim000001?feature=share', 'youtube', 'dQsim000001'],
  ['https://m.youtube.com/live/dQsim000001', 'youtube', 'dQsim000001'],
  ['https://youtu.be/dQsim000001?si=x', 'youtube', 'dQsim000001'],
  ['https://www.instagram.com/p/C8_a-b1/', 'instagram', 'C8_a-b1'],
  ['https://instagram.com/reel/C8_a-b1/?igsh=x', 'instagram', 'C8_a-b1'],
  ['https://www.instagram.com/maya.makes/p/C8_a-b1/', 'instagram', 'C8_a-b1'],
])('%s names a post of %s', (url, platform, code) => {
  expect(readPostUrl(url)).toEqual({ platform, code });
});

it.each([
  'https://www.tiktok.com/@maya.makes/photo/7543210987654321098',
  'https://www.youtube.com/@maya',
  'https://www.youtube.com/watch',
  'https://www.instagram.com/maya.makes/',
  'https://constructor/shorts/dQsim000001',
  'https://youtube.com.example.com/watch?v=dQsim000001',
  'http://youtu.be/dQsim000001',
  'https://youtu.be/a%2Fb',
  'dQsim000001',
])('%s names none', url => {
  expect(readPostUrl(url)).toBeNull();
});
