// JPEG encoders on the same pixels: one process, CPU per image. `node encode.js <module that exports pixels>`

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import encodeWasm, { init } from '@jsquash/jpeg/encode.js';
import sharp from 'sharp';

const [canvasPath, ...files] = process.argv.slice(2);
const { createCanvas, loadImage } = createRequire(canvasPath)('@napi-rs/canvas');
const rounds = 5;
const cpuMs = () => {
  const u = process.cpuUsage();
  return (u.user + u.system) / 1000;
};
const images = await Promise.all(
  files.map(async file => {
    const image = await loadImage(readFileSync(file));
    const canvas = createCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas;
  }),
);
const wasmUrl = createRequire(import.meta.url).resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm');
await init(await WebAssembly.compile(readFileSync(wasmUrl)));
sharp.concurrency(1);
const rgba = canvas => canvas.data();
const { width, height } = images[0];
const raw = { raw: { width, height, channels: 4 } };
const encoders = {
  'canvas encode, q88': canvas => canvas.encode('jpeg', 88),
  'canvas encodeSync, q88': async canvas => canvas.encodeSync('jpeg', 88),
  'sharp, 4:2:0, q88': canvas =>
    sharp(rgba(canvas), raw).removeAlpha().jpeg({ quality: 88, mozjpeg: false }).toBuffer(),
  'sharp, 4:4:4, q88': canvas =>
    sharp(rgba(canvas), raw).removeAlpha().jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer(),
  'sharp, no optimised coding': canvas =>
    sharp(rgba(canvas), raw).removeAlpha().jpeg({ quality: 88, optimiseCoding: false }).toBuffer(),
  'sharp, mozjpeg': canvas =>
    sharp(rgba(canvas), raw).removeAlpha().jpeg({ quality: 88, mozjpeg: true }).toBuffer(),
  'wasm mozjpeg, trellis off': async canvas =>
    Buffer.from(
      await encodeWasm(
        { data: new Uint8ClampedArray(rgba(canvas)), width, height },
        {
          quality: 88,
          progressive: false,
          optimize_coding: false,
          trellis_multipass: false,
          auto_subsample: true,
        },
      ),
    ),
  'canvas webp, q88': canvas => canvas.encode('webp', 88),
};
const table = {};
for (let round = 0; round <= rounds; round++)
  for (const [name, encode] of Object.entries(encoders)) {
    const before = cpuMs();
    let bytes = 0;
    for (const canvas of images) bytes += (await encode(canvas)).length;
    if (round === 0) table[name] = { ms: [], bytes: Math.round(bytes / images.length) };
    else table[name].ms.push((cpuMs() - before) / images.length);
  }
for (const [name, { ms, bytes }] of Object.entries(table)) {
  ms.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(28)} median ${ms[Math.floor(ms.length / 2)].toFixed(1)} ms, least ${ms[0].toFixed(1)} ms, ${bytes} bytes`,
  );
}
