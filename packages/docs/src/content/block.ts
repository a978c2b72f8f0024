import type { Strength } from '@svc-admin/spec'

/** The tone of a badge or callout. Determines its color. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

export interface Badge {
  readonly text: string
  readonly tone: Tone
}

/** A field in an object, or a parameter. Text is Markdown unless the property's comment says "plain text". */
export interface FieldRow {
  readonly anchor: string
  /** The field's name, as plain text. */
  readonly name: string
  /** The nesting depth, which is 0 for the object's own fields. */
  readonly depth: number
  readonly type: string
  readonly required: boolean
  /**
   * A link to the decision that makes the field required. Set only if the field itself comes from the specification
   * source.
   */
  readonly requiredMark?: string
  readonly notes: readonly string[]
  readonly description: string
  /** For example, `at most 200 characters`. */
  readonly constraints: readonly string[]
  /** The documented values, as plain text. */
  readonly values: readonly string[]
  /** Whether the field accepts other values. */
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
  /** A description of the code for screen readers, printed pages and Markdown. */
  readonly caption: string
  readonly language: string
  readonly text: string
  /** Whether the search includes the code. */
  readonly isIndexed?: true
  /** Whether to omit this sample from the Markdown because other samples already show the same content. */
  readonly isOnlyHtml?: true
}

/** A page's content, which can be rendered as HTML and as Markdown. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string; readonly id: string }
  | {
      readonly kind: 'prose'
      readonly markdown: string
      /**
       * `lead` is the introduction of a page, and `quiet` is a remark. `provenance` is hidden until the reader turns on
       * provenance.
       */
      readonly style?: 'lead' | 'quiet' | 'provenance'
    }
  | {
      readonly kind: 'code'
      readonly language: string
      readonly text: string
      readonly label?: string
      /** Whether the code shows an error example. The search excludes error examples. */
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
       * Whether readers compare cells across both rows and columns. On narrow screens, these tables scroll, and all
       * other tables stack their cells.
       */
      readonly grid?: true
      /** Whether the first column contains row numbers, which get a label on narrow screens. */
      readonly numbered?: true
    }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'operations'; readonly items: readonly OperationItem[] }
  | {
      readonly kind: 'cards'
      readonly items: readonly Card[]
      /** Whether to separate the items with lines instead of showing them in boxes. */
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
   * Fields that are described elsewhere on the page, either in the request or once for several variants. Links to these
   * fields lead to that description.
   */
  | {
      readonly kind: 'repeated'
      readonly names: readonly string[]
      /** The anchor prefixes: `from` is for the described fields, and `to` is for the repeated fields. */
      readonly from: string
      readonly to: string
      /** Whether all described fields are repeated. */
      readonly isAll: boolean
      /** Whether another list of fields follows this block. */
      readonly isFollowed: boolean
    }
  | { readonly kind: 'callout'; readonly tone: Tone; readonly title: string; readonly markdown: string }
  | { readonly kind: 'badges'; readonly items: readonly Badge[] }
  | {
      readonly kind: 'endpoint'
      readonly method: string
      readonly prefix: string
      readonly path: string
      /**
       * A link to the decision about the address, as Markdown. Set only if we decided the address but no other part of
       * the operation.
       */
      readonly mark?: string
    }
  /**
   * Examples. Wide screens show the examples next to the text. Narrow screens show the examples between the
   * introduction and the details.
   */
  | { readonly kind: 'rail'; readonly blocks: readonly Block[] }
  /** Details that readers have to expand. `summary` is Markdown. */
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
      /** Whether the HTML shows data instead of documentation. The search ignores data. */
      readonly isData?: true
    }

/** Returns the words that precede and follow the names of repeated fields. */
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

/** An operation in a list of operations. All strings are plain text. */
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
  /** A note in plain text, such as a number of operations. */
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
  /** The page's title, as plain text. */
  readonly title: string
  /** A single sentence that describes the page, as plain text. */
  readonly description: string
  readonly section: Section
  readonly version?: string
  /** The area to show in the menu of a reference page. */
  readonly area?: string
  readonly crumbs: readonly (readonly [label: string, href: string])[]
  readonly blocks: readonly Block[]
  /** A label above the title that shows the kind of page. */
  readonly kicker?: string
  /** The pages about the same subject in other versions. */
  readonly switch?: readonly VersionChoice[]
  /** Whether the page is available only as HTML. */
  readonly htmlOnly?: true
  /** Scripts that this page needs in addition to the scripts on every page. */
  readonly scripts?: readonly string[]
  /** Data files for the scripts. The key is the file's name in the page's folder. */
  readonly data?: Readonly<Record<string, string>>
}

export interface VersionChoice {
  readonly version: string
  readonly href: string
  /** Whether this page exists in the version. If not, `href` leads to the version's overview. */
  readonly exists: boolean
  /**
   * The path prefix and media type for requests to this version. Set only if the version shares the page but belongs to
   * a different generation.
   */
  readonly sends?: { readonly prefix: string; readonly mediaType: string }
}

/**
 * The sections of the site. `implementers` is for readers who build or test a server, and the other sections are for
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
