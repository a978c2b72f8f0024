/** A phrase that the writing guide doesn't allow, and what to write instead. */
export interface Pattern {
  readonly found: RegExp
  readonly instead: string
}

/**
 * Phrases that made earlier texts hard to read. Rewrite a whole sentence that contains such a phrase instead of just
 * replacing a word.
 */
export const patterns: readonly Pattern[] = [
  {
    found: /\b(nobody|no one|none of them knows)\b/gi,
    instead: 'name the subject: "the server", "no caller"',
  },
  { found: /\b(whoever|whomever|whatever it is)\b/gi, instead: 'address the reader as "you", or use "if"' },
  {
    found: /\b(somebody|someone|everybody|everyone)('s)?\b/gi,
    instead: '"another caller", "all callers", "shared"',
  },
  {
    found: /\b(is|are|was|were|be|been|being) told\b/gi,
    instead: '"is notified", "reports", "logs", "shows"',
  },
  { found: /\b(is|are|was|were|be|been|being) answered\b/gi, instead: '"returns <status>"' },
  { found: /\banswers? (with|by) (a |an )?`?\d{3}/gi, instead: '"returns <status>"' },
  { found: /\bbesides\b/gi, instead: '"also", or "other than"' },
  { found: /\bin (the )?place of\b/gi, instead: '"instead of"' },
  { found: /\bfor ever\b/gi, instead: '"indefinitely"' },
  { found: /\banew\b/gi, instead: '"again", or "recreated"' },
  { found: /\b(is|are) (refused|taken) with\b/gi, instead: '"is rejected with", "returns"' },
  { found: /\bmembers? (is|are) open\b/gi, instead: '"Additional properties are allowed."' },
  { found: /\bthere is of\b|\bthere are of\b/gi, instead: 'a plain sentence: subject, verb, object' },
  { found: /\b(that|those) of (the|a|an|its|their|this|that)\b/gi, instead: 'repeat the noun' },
  {
    found: /(^|[.!?] )(What|Who) (is|are|was|has|have|can|cannot|must|may|no|it|comes|asks|needs)\b[^?]*$/g,
    instead: 'start with the noun that the clause stands for',
  },
  { found: /\b(mends?|mended|reckon(s|ed)?)\b/gi, instead: '"fix", "calculate"' },
  { found: /\blets? (no|none)\b/gi, instead: '"prevents", "rejects"' },
  { found: /\bas (firmly|little|much) as\b.*\bas it (stands|says)\b/gi, instead: 'a plain comparison' },
  { found: /\b(is|are) not to be (had|found|seen)\b/gi, instead: '"is not available", "isn\'t found"' },
  { found: /\bat once\b/gi, instead: '"immediately", or "at the same time"' },
  { found: /, whatever\b/gi, instead: '"regardless of"' },
  { found: /\bput(s|ting)? back\b/gi, instead: '"restore", or "set back"' },
  { found: /\bmay be left out\b|\bcan be left out\b/gi, instead: '"is optional"' },
]

/**
 * The maximum number of words in a sentence. The guide recommends at most 25 words, because long sentences are hard to
 * understand.
 */
export const longestSentence = 40
