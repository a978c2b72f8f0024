/** The widths and colour schemes that every page is judged at. */
export const looks = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1366, colorScheme: 'light' },
  { width: 1366, colorScheme: 'dark' },
] as const

export type Look = (typeof looks)[number]

/** The widest and lightest of them, and the narrowest and darkest: what the pictures are taken at. */
export const picturedLooks = [
  { ...looks[2], name: 'wide', height: 900 },
  { ...looks[1], name: 'narrow', height: 844 },
] as const

export type PicturedLook = (typeof picturedLooks)[number]
