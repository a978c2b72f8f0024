/**
 * Returns the edit distance between two words (Damerau-Levenshtein distance). The distance is the number of letters
 * that must be inserted, deleted, substituted or swapped with a neighbor.
 */
const editsBetween = (one: string, other: string): number => {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

/** The maximum number of suggestions in a message. A longer list wouldn't help users. */
const maxSuggestions = 3

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Returns the known names that are similar to the user's input, starting with the most similar name. */
export const nearest = (typed: string, names: readonly string[]): string[] => {
  const wanted = letters(typed)
  const near = names.flatMap((name) => {
    const letter = letters(name)
    const edits = editsBetween(wanted, letter)
    const part = wanted.length > 2 && letter.includes(wanted)
    return part || edits <= Math.max(1, Math.floor(wanted.length / 3)) ? [{ name, edits }] : []
  })
  const sorted = near.sort((one, other) => one.edits - other.edits).map(({ name }) => name)
  return [...new Set(sorted)].slice(0, maxSuggestions)
}

/** Joins names into a list with commas, and with `word` before the last name. */
export const joinNames = (names: readonly string[], word: 'and' | 'or' = 'or'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`

/** Suggests known names for a mistyped name. Returns `otherwise` if no known name is similar. */
export const didYouMean = (typed: string, names: readonly string[], otherwise: string): string => {
  const near = nearest(typed, names)
  return near.length > 0 ? `did you mean ${joinNames(near)}?` : otherwise
}

/**
 * Returns an error message for an unknown name, with suggestions.
 *
 * @param otherwise Replaces the suggestions if no known name is similar.
 */
export const unknownName = (
  what: string,
  typed: string,
  names: readonly string[],
  otherwise: string,
): string => `unknown ${what} ${typed}: ${didYouMean(typed, names, otherwise)}`
