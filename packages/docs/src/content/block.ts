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
  readonly example?: string
  readonly strength?: Strength
  readonly source?: string
}

export interface Sample {
  /** The name of its tab. */
  readonly label: string
  /** The caption above the code. */
  readonly caption: string
  readonly language: string
  readonly text: string
}

/** The content of pages, rendered as HTML and as Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string; readonly id: string }
  | { readonly kind: 'prose'; readonly markdown: string }
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
  | { readonly kind: 'cards'; readonly items: readonly Card[] }
  | { readonly kind: 'facts'; readonly items: readonly (readonly [term: string, markdown: string])[] }
  | { readonly kind: 'fields'; readonly rows: readonly FieldRow[] }
  | { readonly kind: 'callout'; readonly tone: Tone; readonly title: string; readonly markdown: string }
  | { readonly kind: 'badges'; readonly items: readonly Badge[] }
  | {
      readonly kind: 'endpoint'
      readonly method: string
      readonly prefix: string
      readonly path: string
      /** The decision on the address, if its strength is weaker than the rest; Markdown. */
      readonly mark?: string
      /** The address of the request form. */
      readonly tryIt?: string
    }
  | { readonly kind: 'figure'; readonly svg: string; readonly caption: string }
  | { readonly kind: 'widget'; readonly html: string; readonly markdown: string }

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
}

export const heading = (level: 2 | 3 | 4, text: string, id: string): Block => ({
  kind: 'heading',
  level,
  text,
  id,
})
export const prose = (markdown: string): Block => ({ kind: 'prose', markdown })
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
  /** In the reference: show the menu of schemas instead of operations. */
  readonly menu?: 'schemas'
  readonly crumbs: readonly (readonly [label: string, href: string])[]
  readonly blocks: readonly Block[]
  /** Above the title: the kind of thing that the page is about. */
  readonly kicker?: string
  /** The same subject at the other versions; `exists: false` leads to the version's own page. */
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
  readonly exists: boolean
}

/** The parts of the site, each with a menu. */
export type Section =
  | 'home'
  | 'reference'
  | 'guides'
  | 'facts'
  | 'changelog'
  | 'conformance'
  | 'try'
  | 'search'
