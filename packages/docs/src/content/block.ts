import type { Strength } from '@svc-admin/spec'

/** How a badge or a callout speaks: each has a colour of its own, and a word beside the colour. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

export interface Badge {
  readonly text: string
  readonly tone: Tone
}

/** One member of an object, or one parameter. Texts are Markdown unless they are said to be plain. */
export interface FieldRow {
  readonly anchor: string
  /** Plain. */
  readonly name: string
  /** 0 for a member of the object itself. */
  readonly depth: number
  readonly type: string
  readonly required: boolean
  /** Who decided that it is, where that is weaker than the rest; Markdown. */
  readonly requiredMark?: string
  readonly notes: readonly string[]
  readonly description: string
  /** `at most 200 characters` and the like. */
  readonly constraints: readonly string[]
  /** Plain. */
  readonly values: readonly string[]
  /** Whether there may be values beside these. */
  readonly valuesOpen: boolean
  readonly example?: string
  readonly strength?: Strength
  readonly source?: string
}

export interface Sample {
  /** The name of its tab. */
  readonly label: string
  /** What it is written with, above its text. */
  readonly caption: string
  readonly language: string
  readonly text: string
}

/** What pages are made of. Each page is written twice from these: as HTML and as Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string; readonly id: string }
  | { readonly kind: 'prose'; readonly markdown: string }
  | {
      readonly kind: 'code'
      readonly language: string
      readonly text: string
      readonly label?: string
      /** How something fails answers nobody who asks how it is done: no search finds it. */
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
      /** Read across as well as down, so that it scrolls where a list would be stacked. */
      readonly grid?: true
      /** Its first column numbers the rows, and a number says nothing without its name. */
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
      /** Who decided the address, where that is weaker than the rest; Markdown. */
      readonly mark?: string
      /** Where it can be sent from. */
      readonly tryIt?: string
    }
  | { readonly kind: 'figure'; readonly svg: string; readonly caption: string }
  | { readonly kind: 'widget'; readonly html: string; readonly markdown: string }

export interface TableRow {
  readonly id?: string
  readonly cells: readonly string[]
}

/** A line of a list of operations; everything is plain. */
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
  /** In the reference: the menu of schemas in place of that of operations. */
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
