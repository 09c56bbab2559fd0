/**
 * What TikTok covers on no phone, in pixels of a slide: of the phones that the sources measured, some cover 250 at the
 * top, 460 at the bottom, and below `buttons` 180 at the end of the line.
 */
export const uncovered = { top: 250, buttons: 864, bottom: 1460, end: 900 };
