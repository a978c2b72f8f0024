import { indexGlobal, type SearchEntry, versionKind } from '../browser/tokens.ts'
import type { Page } from '../content/block.ts'
import { wordsOf } from '../content/inline.ts'
import { fieldRows, valuesOf } from '../model/fields.ts'
import { addresses, type SiteModel, type VersionModel } from '../model/site-model.ts'
import { requirementAddress } from '../pages/requirement-rows.ts'
import type { SiteFiles } from './sync-folder.ts'

type Draft = Omit<SearchEntry, 'key'> & { readonly key?: string }

/** Adds what is found in every version, and what is found in one only. Browsers make the index, which is far longer. */
export function addSearchIndex(model: SiteModel, guides: readonly Page[], files: SiteFiles): void {
  const add = (name: string, drafts: readonly Draft[]) =>
    files.set(`assets/search-${name}.js`, scriptText(name, drafts))
  add('shared', [...factEntries(model), ...guides.flatMap(guideEntries)])
  for (const version of model.versions)
    add(version.id, [...operationEntries(version), ...schemaEntries(version)])
}

/** A classic script: a page that was opened as a file may load one, and may not fetch. */
function scriptText(name: string, drafts: readonly Draft[]): string {
  const rows = drafts.map(({ kind, title, url, detail, text, names, key = '' }) => [
    kind,
    title,
    url.slice(1),
    detail,
    text,
    names,
    key,
  ])
  return `(self.${indexGlobal}??={})[${JSON.stringify(name)}]=${JSON.stringify(rows)}`
}

function operationEntries(version: VersionModel): Draft[] {
  return version.operations.flatMap(({ id, method, path, operation, parameters }) => {
    const url = addresses.operation(version.id, id)
    const detail = `${method.toUpperCase()} ${path}`
    const title = operation.summary ?? id
    const own = parameters.filter((each) => each.in !== 'path')
    return [
      {
        title,
        names: `${id} ${path.replace(/[{}/]+/g, ' ')} ${method}`,
        text: wordsOf(operation.description ?? ''),
        kind: 'Operation',
        key: id,
        url,
        detail,
      },
      ...own.map((each) => ({
        title: each.name,
        names: '',
        text: wordsOf(each.description ?? ''),
        kind: 'Parameter',
        url: `${url}#${each.in}.${each.name}`,
        detail: `of ${id}`,
      })),
    ]
  })
}

function schemaEntries({ document, id }: VersionModel): Draft[] {
  return Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    const url = addresses.schema(id, name)
    const rows = fieldRows({ document, version: id, anchor: 'field', side: 'both', mark: () => '' }, schema)
    return [
      {
        title: name,
        names: schema.title ?? '',
        text: wordsOf(schema.description ?? ''),
        kind: 'Schema',
        url,
        detail: schema.title ?? '',
      },
      ...valuesOf(schema).map((value) => ({
        title: value,
        names: '',
        text: '',
        kind: 'Value',
        url: `${url}#values`,
        detail: `of ${name}`,
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
            kind: 'Member',
            url: `${url}#${row.anchor}`,
            detail: place,
          },
          ...values.map((value) => ({
            title: value,
            names: '',
            text: '',
            kind: 'Value',
            url: `${url}#${row.anchor}`,
            detail: `of ${place}`,
          })),
        ]
      }),
    ]
  })
}

function factEntries({ inputs, versions }: SiteModel): Draft[] {
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
      entry('Error', code, addresses.error(code), when, String(status)),
    ),
    ...Object.entries(tokenErrors).map(([code, fact]) =>
      entry('Error', code, addresses.error(code), fact.description, String(fact.status)),
    ),
    ...Object.entries(limits).map(([id, { about, strength, source, ...values }]) =>
      entry('Limit', id, addresses.limit(id), about, Object.values(values).flat().join(' ')),
    ),
    ...Object.entries(roles).map(([id, { name, scope }]) =>
      entry(
        'Role',
        name,
        addresses.role(id),
        `Given in ${scope === 'project' ? 'a project' : 'an organization'}.`,
        id,
      ),
    ),
    ...Object.entries(states).map(([id, { title, values }]) =>
      entry('Lifecycle', title, addresses.lifecycle(id), values.join(', ')),
    ),
    ...inputs.requirements.map((row) => entry('Requirement', row.id, requirementAddress(row), row.text)),
    ...versions.map(({ id, document }) =>
      entry(versionKind, id, addresses.version(id), wordsOf(document.info.title)),
    ),
  ]
}

/** A guide by its sections. */
function guideEntries({ title, path, blocks, description }: Page): Draft[] {
  const entries: Draft[] = []
  let current = { title, url: path, words: description }
  const finish = () =>
    entries.push({
      title: current.title,
      names: '',
      text: current.words,
      kind: 'Guide',
      url: current.url,
      detail: current.title === title ? description : title,
    })
  for (const block of blocks) {
    if (block.kind === 'heading') {
      finish()
      current = { title: wordsOf(block.text), url: `${path}#${block.id}`, words: '' }
    } else if (block.kind === 'prose') current.words += ` ${wordsOf(block.markdown)}`
  }
  finish()
  return entries
}
