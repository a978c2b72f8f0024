import { STATUS_CODES } from 'node:http'
import type { Requirement } from '@svc-admin/spec'
import { indexGlobal, operationKinds, type SearchRows, shortRows, versionKind } from '../browser/tokens.ts'
import type { Page } from '../content/block.ts'
import { wordsOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { fieldRows, pagesOf, valuesOf } from '../model/fields.ts'
import type { Span } from '../model/same.ts'
import { isOnOwnPage } from '../model/schema-home.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { requirementsCovering } from '../pages/covering.ts'
import { limitText } from '../pages/limits.ts'
import { requirementAddress, requirementsFor } from '../pages/requirement-rows.ts'
import { type Aliases, resolveAlias } from './aliases.ts'
import { type Draft, newWords, pageEntries, wordsOfBlocks } from './search-pages.ts'
import type { SiteFiles } from './sync-folder.ts'

/**
 * Adds the search entry files: one for entries that apply to all versions, and one for each version. Browsers build the
 * index from these entries, because a prebuilt index would be a much larger download.
 */
export function addSearchIndex(
  model: SiteModel,
  pages: readonly Page[],
  files: SiteFiles,
  aliases: Aliases,
): void {
  const facts = factEntries(model)
  const add = (name: string, drafts: readonly Draft[], own: readonly Page[]) => {
    const known = new Set([...facts, ...drafts].map(({ url }) => resolveAlias(aliases, url, false)))
    const rows = [...withBodies(drafts, pages, aliases), ...own.flatMap((page) => pageEntries(page, known))]
    files.set(
      `assets/search-${name}.js`,
      scriptText(name, bySpan(rows, aliases, name === shared ? '' : name)),
    )
  }
  const ownPages = (wanted?: string) => pages.filter(({ version }) => version === wanted)
  add(shared, facts, ownPages())
  for (const version of model.versions)
    add(
      version.id,
      [...operationEntries(model, version), ...schemaEntries(model, version)],
      ownPages(version.id),
    )
}

/** The name of the file that contains the entries for all versions. */
const shared = 'shared'

/**
 * Groups search entries by the versions that they apply to. If an entry's page belongs to a newer version, the entry is
 * in the file for the newer version.
 */
function bySpan(rows: readonly Draft[], aliases: Aliases, usual: string): Map<string, Draft[]> {
  const found = new Map<string, Draft[]>()
  for (const row of rows) {
    const [path = ''] = row.url.split('#')
    const alias = aliases.get(path)
    if (alias?.version !== undefined || row.isElsewhere) continue
    const key = row.span ?? usual
    found.set(key, [...(found.get(key) ?? []), { ...row, url: resolveAlias(aliases, row.url, false) }])
  }
  return new Map([...found].map(([span, drafts]) => [span, withoutSameParameters(drafts)]))
}

/** If several operations have the same parameter, merges the search entries for this parameter into one. */
function withoutSameParameters(drafts: readonly Draft[]): Draft[] {
  const keyOf = ({ kind, title, text }: Draft) => (kind === parameterKind ? `${title} ${text}` : undefined)
  const counts = new Map<string | undefined, number>()
  for (const draft of drafts) counts.set(keyOf(draft), (counts.get(keyOf(draft)) ?? 0) + 1)
  const shown = new Set<string>()
  return drafts.flatMap((draft) => {
    const key = keyOf(draft)
    const count = counts.get(key) ?? 1
    if (key === undefined || count === 1) return [draft]
    if (shown.has(key)) return []
    shown.add(key)
    return [{ ...draft, detail: `of ${count} operations` }]
  })
}

const parameterKind = 'Parameter'

/**
 * Adds the words on a page to the entry that represents the page, so that readers can also find the page by these
 * words.
 */
function withBodies(drafts: readonly Draft[], pages: readonly Page[], aliases: Aliases): Draft[] {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const pageOf = ({ url }: Draft) => byPath.get(resolveAlias(aliases, url, false))
  const bodied = drafts.map((draft): Draft => {
    const page = pageOf(draft)
    const { title, names, text, key = '' } = draft
    const indexed = [title, names, text, key].join(' ')
    const words = [...(page ? [wordsOfBlocks(page.blocks)] : []), draft.related ?? ''].join(' ').trim()
    return words ? { ...draft, body: newWords(words, indexed) } : draft
  })
  return withoutCommonWords(bodied).map((draft) => {
    const { title, names, text, key = '', body = '' } = draft
    const labels = newWords(labelsOf(pageOf(draft)), [title, names, text, key, body].join(' '))
    return labels ? { ...draft, body: `${body} ${labels}`.trim() } : draft
  })
}

/**
 * Returns the labels in the list of facts at the top of a page. Labels such as "role" are the same on many pages, but
 * readers use them in queries such as `create index role`.
 */
const labelsOf = (page: Page | undefined): string =>
  (page?.blocks ?? [])
    .flatMap((block) => (block.kind === 'facts' ? block.items.map(([term]) => term) : []))
    .join(' ')

/**
 * Removes words that are on at least half of the pages of the same kind. These words don't help readers find the right
 * page, and they make the index larger.
 */
function withoutCommonWords(drafts: readonly Draft[]): Draft[] {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { kind, body = '' } of drafts) {
    if (body === '') continue
    count(kind)
    for (const word of body.split(' ')) count(`${kind} ${word}`)
  }
  return drafts.map((draft) => {
    const { kind, body = '' } = draft
    const isOwn = (word: string) => (counts.get(`${kind} ${word}`) ?? 0) * 2 <= (counts.get(kind) ?? 0)
    return body === '' ? draft : { ...draft, body: body.split(' ').filter(isOwn).join(' ') }
  })
}

/**
 * Creates a script that contains search entries. A page that was opened as a file can load a classic script but can't
 * use `fetch`.
 */
function scriptText(name: string, spans: ReadonlyMap<string, readonly Draft[]>): string {
  const file = Object.fromEntries([...spans].map(([span, drafts]) => [span, rowsOf(drafts)]))
  return `(self.${indexGlobal}??={})[${JSON.stringify(name)}]=${JSON.stringify(file)}`
}

const rowsOf = (drafts: readonly Draft[]): SearchRows =>
  shortRows(
    drafts.map(({ kind, title, url, detail, text, names, key = '', body = '' }) => [
      ...[kind, title, url.slice(1), detail],
      ...[text, names, key, body],
    ]),
  )

function operationEntries(model: SiteModel, version: VersionModel): Draft[] {
  return version.operations.flatMap(({ id, method, path, operation, parameters }) => {
    const url = addresses.operation(version.id, id)
    const span = placeIn(version, model.spans.operation(version, id))
    const related = requirementWords(requirementsFor(model, version, id))
    const detail = `${method.toUpperCase()} ${path}`
    const title = operation.summary ?? id
    const own = parameters.filter((each) => each.in !== 'path')
    return [
      {
        title,
        names: `${id} ${path.replace(/[{}/]+/g, ' ')} ${method}`,
        text: wordsOf(operation.description ?? ''),
        kind: operation.deprecated ? operationKinds.deprecated : operationKinds.current,
        key: id,
        url,
        detail,
        related,
        ...span,
      },
      ...own.map((each) => ({
        title: each.name,
        names: '',
        text: wordsOf(each.description ?? ''),
        kind: parameterKind,
        url: `${url}#${each.in}.${each.name}`,
        detail: `of ${id}`,
        ...span,
      })),
    ]
  })
}

/** Returns the versions that an entry applies to, and whether the entry is in the file for a newer version. */
const placeIn = (version: VersionModel, span: Span<VersionModel>): Pick<Draft, 'span' | 'isElsewhere'> => ({
  span: span.map(({ id }) => id).join(' '),
  ...(span.at(-1) !== version && { isElsewhere: true }),
})

function schemaEntries({ spans }: SiteModel, version: VersionModel): Draft[] {
  const { document, id } = version
  return Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    const url = addresses.schema(id, name)
    const span = placeIn(version, spans.schema(version, name))
    const rows = fieldRows(
      {
        document,
        linkTo: pagesOf(id),
        anchor: 'field',
        side: 'both',
        mark: () => '',
        isApart: isOnOwnPage(document),
      },
      schema,
    )
    return [
      {
        title: name,
        names: schema.title ?? '',
        text: wordsOf(schema.description ?? ''),
        kind: 'Schema',
        url,
        detail: schema.title ?? '',
        ...span,
      },
      ...valuesOf(schema).map((value) => ({
        title: value,
        names: '',
        text: '',
        kind: 'Value',
        url: `${url}#values`,
        detail: `of ${name}`,
        ...span,
      })),
      ...rows.flatMap((row) => {
        const path = row.anchor.slice('field.'.length)
        const place = `${name}.${path}`
        const values = row.type.includes('](') ? [] : row.values
        return [
          {
            title: row.name,
            names: path,
            text: wordsOf(row.description),
            kind: 'Field',
            url: `${url}#${row.anchor}`,
            detail: place,
            ...span,
          },
          ...values.map((value) => ({
            title: value,
            names: '',
            text: '',
            kind: 'Value',
            url: `${url}#${row.anchor}`,
            detail: `of ${place}`,
            ...span,
          })),
        ]
      }),
    ]
  })
}

/**
 * Returns the words in requirements, except "header". Nearly every operation has a requirement about a header, but
 * readers who search for "header" need a guide.
 */
const requirementWords = (rows: readonly Requirement[]): string =>
  rows.map(({ id, text }) => `${id} ${wordsOf(text)}`.replace(/\bheaders?\b/gi, '')).join(' ')

function factEntries(model: SiteModel): Draft[] {
  const { inputs, versions } = model
  const { errorCodes, tokenErrors, limits, roles, states } = inputs.facts
  const entry = (kind: string, title: string, url: string, text: string, names = ''): Draft => ({
    kind,
    title,
    url,
    names,
    text,
    detail: text,
  })
  return [
    ...Object.entries(errorCodes).map(([code, { when, status }]) =>
      entry('Error', code, addresses.error(code), when, namesOf(status)),
    ),
    ...Object.entries(tokenErrors).map(([code, fact]) =>
      entry('Error', code, addresses.error(code), fact.description, namesOf(fact.status)),
    ),
    ...Object.entries(limits).map(([id, limit]) => {
      const { about, strength, source, ...values } = limit
      const related = `${limitText(limit)} ${requirementWords(requirementsCovering(model, `limit:${id}`))}`
      return {
        ...entry('Limit', id, addresses.limit(id), about, Object.values(values).flat().join(' ')),
        related,
      }
    }),
    ...Object.entries(roles).map(([id, { name, scope }]) =>
      entry(
        'Role',
        name,
        addresses.role(id),
        `Granted in ${scope === 'project' ? 'a project' : 'an organization'}.`,
        id,
      ),
    ),
    ...Object.entries(states).map(([id, { title, values }]) =>
      entry(
        'Lifecycle',
        title,
        addresses.lifecycle(id),
        values.join(', '),
        'lifecycle states status transitions',
      ),
    ),
    ...inputs.requirements.map((row) => entry('Requirement', row.id, requirementAddress(row), row.text)),
    ...versions.map(({ id, document }) => ({
      ...entry(versionKind, id, addresses.version(id), wordsOf(`${document.info.title} ${id}`), 'Reference'),
      key: `Reference ${id}`,
    })),
  ]
}

/** Returns a status with its reason phrase, such as `404 Not Found`, because readers search for both. */
const namesOf = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trim()
