export const slideWidth = 1080;
export const slideHeight = 1920;
