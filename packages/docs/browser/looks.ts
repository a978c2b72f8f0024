/** The screen widths and color schemes that the tests use for each page. */
export const looks = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1366, colorScheme: 'light' },
  { width: 1366, colorScheme: 'dark' },
  // At this width, pages must not scroll horizontally (WCAG 2.2, 1.4.10).
  { width: 320, colorScheme: 'light' },
] as const

export const narrowest = looks[4]

export type Look = (typeof looks)[number]

/** The screen widths and color schemes for screenshots: wide and light, and narrow and dark. */
export const picturedLooks = [
  { ...looks[2], name: 'wide', height: 900 },
  { ...looks[1], name: 'narrow', height: 844 },
] as const

export type PicturedLook = (typeof picturedLooks)[number]
