import type { Strength } from '@svc-admin/spec'

/** The tone of a badge or callout, which determines its color. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

export interface Badge {
  readonly text: string
  readonly tone: Tone
}

/** A field in an object, or a parameter. Texts are Markdown unless their comment says otherwise. */
export interface FieldRow {
  readonly anchor: string
  /** Plain text. */
  readonly name: string
  /** 0 for the object's own fields, higher for nested fields. */
  readonly depth: number
  readonly type: string
  readonly required: boolean
  /** A link to the decision that makes the field required, if the field itself isn't our decision. */
  readonly requiredMark?: string
  readonly notes: readonly string[]
  readonly description: string
  /** For example, `at most 200 characters`. */
  readonly constraints: readonly string[]
  /** Plain text. */
  readonly values: readonly string[]
  /** Whether other values are possible. */
  readonly valuesOpen: boolean
  /** A link to the values, if they are listed on another page. */
  readonly valuesAt?: string
  readonly example?: string
  readonly strength?: Strength
  readonly source?: string
}

export interface Sample {
  /** The name of the sample's tab. */
  readonly label: string
  /** A description of the code, for screen readers, print and Markdown. */
  readonly caption: string
  readonly language: string
  readonly text: string
  /** Whether the search index includes words from the code. */
  readonly isIndexed?: true
  /** Whether the Markdown omits this sample, which has the same content as other samples. */
  readonly isOnlyHtml?: true
}

/** A page's content, which can be rendered as HTML and as Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string; readonly id: string }
  | {
      readonly kind: 'prose'
      readonly markdown: string
      /**
       * `lead` introduces a page, and `quiet` is a remark. `provenance` is hidden unless the reader chooses
       * to show it.
       */
      readonly style?: 'lead' | 'quiet' | 'provenance'
    }
  | {
      readonly kind: 'code'
      readonly language: string
      readonly text: string
      readonly label?: string
      /** Whether these are examples of errors, which the search excludes. */
      readonly isFailure?: true
    }
  | {
      readonly kind: 'samples'
      readonly id: string
      readonly label: string
      readonly items: readonly Sample[]
      readonly tryIt?: string
    }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly TableRow[]
      /**
       * Whether readers compare cells in both directions. On narrow screens, a table with this property
       * scrolls, and all other tables are stacked.
       */
      readonly grid?: true
      /** Whether the first column contains row numbers, which need a label on narrow screens. */
      readonly numbered?: true
    }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'operations'; readonly items: readonly OperationItem[] }
  | {
      readonly kind: 'cards'
      readonly items: readonly Card[]
      /** Whether items are separated by lines instead of boxes. */
      readonly plain?: true
    }
  | {
      readonly kind: 'facts'
      readonly items: readonly (readonly [term: string, markdown: string])[]
      /** `inline` shows short lines. `stats` shows large numbers with labels. The default is a table. */
      readonly look?: 'inline' | 'stats'
    }
  | { readonly kind: 'fields'; readonly rows: readonly FieldRow[] }
  /**
   * Fields that the page describes elsewhere, either in the request or for several variants. Links to these
   * fields lead to that description.
   */
  | {
      readonly kind: 'repeated'
      readonly names: readonly string[]
      /** The anchor prefixes for the described fields and for the repeated fields. */
      readonly from: string
      readonly to: string
      /** Whether the list contains all fields from the other place. */
      readonly isAll: boolean
      /** Whether a list with more fields comes after this block. */
      readonly isFollowed: boolean
    }
  | { readonly kind: 'callout'; readonly tone: Tone; readonly title: string; readonly markdown: string }
  | { readonly kind: 'badges'; readonly items: readonly Badge[] }
  | {
      readonly kind: 'endpoint'
      readonly method: string
      readonly prefix: string
      readonly path: string
      /** A link to the decision about the address, as Markdown, if nothing else about the operation is our decision. */
      readonly mark?: string
    }
  /**
   * Examples, which appear next to the text on wide screens and between the introduction and the details on
   * narrow screens.
   */
  | { readonly kind: 'rail'; readonly blocks: readonly Block[] }
  /** Details that are collapsed initially. `summary` is Markdown. */
  | {
      readonly kind: 'fold'
      readonly summary: string
      readonly blocks: readonly Block[]
      readonly id?: string
    }
  | { readonly kind: 'figure'; readonly svg: string; readonly caption: string }
  | {
      readonly kind: 'widget'
      readonly html: string
      readonly markdown: string
      /** Whether this is data, which the search excludes. */
      readonly isData?: true
    }

/** Returns the text before and after the names of repeated fields. */
export const repeatedText = ({
  from,
  isAll,
  isFollowed,
}: Pick<Extract<Block, { kind: 'repeated' }>, 'from' | 'isAll' | 'isFollowed'>): [
  before: string,
  after: string,
] => {
  const before =
    from !== 'request'
      ? 'Common fields'
      : isAll
        ? 'The same fields as the request'
        : 'These fields of the request'
  return [before, isFollowed ? ', plus:' : '.']
}

export interface TableRow {
  readonly id?: string
  readonly cells: readonly string[]
}

/** An entry in a list of operations. All texts are plain text. */
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
  /** Plain text, such as a number of operations. */
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

export interface Page {
  /** The path, relative to the site's root, with a slash at both ends. */
  readonly path: string
  /** Plain text. */
  readonly title: string
  /** One sentence of plain text. */
  readonly description: string
  readonly section: Section
  readonly version?: string
  /** On a reference page, the area with the operations that the menu lists. */
  readonly area?: string
  readonly crumbs: readonly (readonly [label: string, href: string])[]
  readonly blocks: readonly Block[]
  /** A label above the title that shows what kind of page this is. */
  readonly kicker?: string
  /** The pages for the same subject in other versions. */
  readonly switch?: readonly VersionChoice[]
  /** Whether the page isn't available as Markdown. */
  readonly htmlOnly?: true
  /** The page's own scripts, in addition to the scripts that every page has. */
  readonly scripts?: readonly string[]
  /** Data files for the page's scripts, by their name in the page's folder. */
  readonly data?: Readonly<Record<string, string>>
}

export interface VersionChoice {
  readonly version: string
  readonly href: string
  /** Whether the version has the page. If not, `href` leads to the version's overview. */
  readonly exists: boolean
  /**
   * The path prefix and media type for requests to this version, if the version shares the page but belongs
   * to a different generation.
   */
  readonly sends?: { readonly prefix: string; readonly mediaType: string }
}

/**
 * The site's sections. `implementers` is for readers who build or test a server. The other sections are for
 * readers who call the API.
 */
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
