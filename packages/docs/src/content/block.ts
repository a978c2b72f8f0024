import type { Strength } from '@svc-admin/spec'

/** The tone of a badge or a callout, shown as a color. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

export interface Badge {
  readonly text: string
  readonly tone: Tone
}

/** A field of an object or a parameter. Texts are Markdown unless noted otherwise. */
export interface FieldRow {
  readonly anchor: string
  /** Plain. */
  readonly name: string
  /** 0 for fields of the object itself. */
  readonly depth: number
  readonly type: string
  readonly required: boolean
  /** The decision that it is required, if its strength is weaker than the rest; Markdown. */
  readonly requiredMark?: string
  readonly notes: readonly string[]
  readonly description: string
  /** `at most 200 characters` and the like. */
  readonly constraints: readonly string[]
  /** Plain. */
  readonly values: readonly string[]
  /** Whether other values are possible. */
  readonly valuesOpen: boolean
  /** A link to the values, if another page lists them. */
  readonly valuesAt?: string
  readonly example?: string
  readonly strength?: Strength
  readonly source?: string
}

export interface Sample {
  /** The name of its tab. */
  readonly label: string
  /** A description of the code, for screen readers, print and Markdown. */
  readonly caption: string
  readonly language: string
  readonly text: string
  /** Whether the search finds words of the code. */
  readonly isIndexed?: true
  /** Whether Markdown leaves it out, because it repeats the content of the others. */
  readonly isOnlyHtml?: true
}

/** The content of pages, rendered as HTML and as Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string; readonly id: string }
  | {
      readonly kind: 'prose'
      readonly markdown: string
      /** `lead` is the introduction of a page, `quiet` a remark. `provenance` is hidden until the reader asks for it. */
      readonly style?: 'lead' | 'quiet' | 'provenance'
    }
  | {
      readonly kind: 'code'
      readonly language: string
      readonly text: string
      readonly label?: string
      /** Examples of errors are excluded from the search. */
      readonly isFailure?: true
    }
  | {
      readonly kind: 'samples'
      readonly id: string
      readonly label: string
      readonly items: readonly Sample[]
      /** The address of the request form. */
      readonly tryIt?: string
    }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly TableRow[]
      /** Readers compare cells across and down, so it scrolls on narrow screens instead of stacking. */
      readonly grid?: true
      /** The first column has row numbers, which need a label on narrow screens. */
      readonly numbered?: true
    }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'operations'; readonly items: readonly OperationItem[] }
  | {
      readonly kind: 'cards'
      readonly items: readonly Card[]
      /** Separated by lines, without boxes. */
      readonly plain?: true
    }
  | {
      readonly kind: 'facts'
      readonly items: readonly (readonly [term: string, markdown: string])[]
      /** `inline`: short lines. `stats`: large numbers with labels. By default, a table. */
      readonly look?: 'inline' | 'stats'
    }
  | { readonly kind: 'fields'; readonly rows: readonly FieldRow[] }
  /** Fields of a response that the request also has. Their anchors lead to the fields of the request. */
  | {
      readonly kind: 'repeated'
      readonly names: readonly string[]
      /** The anchor prefixes of the described fields and of the repeated ones. */
      readonly from: string
      readonly to: string
      /** Whether the response has all fields of the request. */
      readonly isAll: boolean
      /** Whether a list of other fields follows. */
      readonly isFollowed: boolean
    }
  | { readonly kind: 'callout'; readonly tone: Tone; readonly title: string; readonly markdown: string }
  | { readonly kind: 'badges'; readonly items: readonly Badge[] }
  | {
      readonly kind: 'endpoint'
      readonly method: string
      readonly prefix: string
      readonly path: string
      /** The decision on the address, if its strength is weaker than the rest; Markdown. */
      readonly mark?: string
    }
  /** Examples beside the text on wide screens, and between the introduction and the details on narrow ones. */
  | { readonly kind: 'rail'; readonly blocks: readonly Block[] }
  /** Details that are collapsed at first. `summary` is Markdown. */
  | {
      readonly kind: 'fold'
      readonly summary: string
      readonly blocks: readonly Block[]
      readonly id?: string
    }
  | { readonly kind: 'figure'; readonly svg: string; readonly caption: string }
  | { readonly kind: 'widget'; readonly html: string; readonly markdown: string }

/** The words before and after the names of repeated fields. */
export const repeatedText = ({
  isAll,
  isFollowed,
}: Pick<Extract<Block, { kind: 'repeated' }>, 'isAll' | 'isFollowed'>): [before: string, after: string] => [
  isAll ? 'The same fields as the request' : 'These fields of the request',
  isFollowed ? ', plus:' : '.',
]

export interface TableRow {
  readonly id?: string
  readonly cells: readonly string[]
}

/** An entry in a list of operations. All texts are plain. */
export interface OperationItem {
  readonly method: string
  readonly path: string
  readonly title: string
  readonly href: string
  readonly badges: readonly Badge[]
}

export interface Card {
  readonly title: string
  readonly href: string
  readonly text: string
  /** Plain, such as a number of operations. */
  readonly note?: string
}

export const heading = (level: 2 | 3 | 4, text: string, id: string): Block => ({
  kind: 'heading',
  level,
  text,
  id,
})
export const prose = (markdown: string, style?: Extract<Block, { kind: 'prose' }>['style']): Block => ({
  kind: 'prose',
  markdown,
  ...(style && { style }),
})
export const list = (items: readonly string[]): Block => ({ kind: 'list', items })
export const table = (
  head: readonly string[],
  rows: readonly (TableRow | readonly string[])[],
): Extract<Block, { kind: 'table' }> => ({
  kind: 'table',
  head,
  rows: rows.map((row) => ('cells' in row ? row : { cells: row })),
})

/** A page of the site. */
export interface Page {
  /** From the root of the site, with a slash at both ends. */
  readonly path: string
  /** Plain. */
  readonly title: string
  /** One sentence; plain. */
  readonly description: string
  readonly section: Section
  readonly version?: string
  /** In the reference: the area whose operations the menu lists. */
  readonly area?: string
  readonly crumbs: readonly (readonly [label: string, href: string])[]
  readonly blocks: readonly Block[]
  /** Above the title: the kind of thing that the page is about. */
  readonly kicker?: string
  /** The same subject at the other versions. */
  readonly switch?: readonly VersionChoice[]
  /** It is not there as Markdown. */
  readonly htmlOnly?: true
  /** Scripts of its own, beside those that every page has. */
  readonly scripts?: readonly string[]
  /** Data files that scripts of the page read, by name within the page's folder. */
  readonly data?: Readonly<Record<string, string>>
}

export interface VersionChoice {
  readonly version: string
  readonly href: string
  /** Otherwise, `href` leads to the overview of the version. */
  readonly exists: boolean
}

/** The parts of the site. `implementers` is for readers who build or test a server, all others for callers of the API. */
export type Section =
  | 'home'
  | 'reference'
  | 'guides'
  | 'errors'
  | 'limits'
  | 'roles'
  | 'changelog'
  | 'try'
  | 'implementers'
  | 'search'
