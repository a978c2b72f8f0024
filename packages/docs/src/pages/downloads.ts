import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'

const control = 'control'

export function downloadsPage({ inputs, newest, versions }: SiteModel): Page {
  const rows = (folder: string, title: (name: string) => string | undefined) => {
    const names = inputs.downloads.map(({ name }) => name).filter((name) => name.startsWith(folder))
    const stems = [...new Set(names.map((name) => name.replace(/(\.overlay)?\.(json|yaml)$/, '')))]
    return stems.flatMap((stem) => {
      const name = stem.slice(folder.length)
      const shown = title(name)
      const files = names
        .filter((each) => each.startsWith(`${stem}.`))
        .map((each) => link(each.slice(folder.length), `/${each}`))
      return shown === undefined ? [] : [[shown, ...files]]
    })
  }
  const workflows = rows('arazzo/', (name) =>
    link(inputs.workflows[name]?.info.title ?? name, addresses.workflow(name)),
  )
  return {
    path: '/downloads/',
    title: 'Downloads',
    description: 'OpenAPI documents for every version, and Arazzo workflows.',
    section: 'reference',
    crumbs: [],
    blocks: [
      prose(
        'Each document is self-contained: all its references are local. The package `@svc-admin/spec` has the same documents as YAML.',
      ),
      heading(2, 'OpenAPI 3.1', 'openapi'),
      table(
        ['Version', 'JSON'],
        rows('openapi/', (id) => (id === control ? undefined : link(id, addresses.version(id)))).map(
          ([version = '', document = '']) => [version, document],
        ),
      ),
      ...provenance(newest),
      heading(2, 'Collections for Postman and Bruno', 'collections'),
      prose(
        `Each collection has a request for every operation of a version, with example values. Import the file into Postman, or unpack the archive and open the folder in Bruno. Then set the variables ${code('baseUrl')}, ${code('publicKey')} and ${code('privateKey')}.`,
      ),
      table(
        ['Version', 'Postman', 'Bruno'],
        versions.map(({ id }) => [
          link(id, addresses.version(id)),
          link('collection', addresses.postman(id)),
          link('archive', addresses.bruno(id)),
        ]),
      ),
      heading(2, 'The sandbox', 'control'),
      prose('The sandbox control interface is not part of the API and has its own document.'),
      table(
        ['Interface', 'JSON'],
        rows('openapi/', (id) => (id === control ? link('Sandbox control', addresses.control) : undefined)),
      ),
      heading(2, 'Generate a client in another language', 'generate'),
      prose(
        `Use a generator that supports OpenAPI 3.1 to create a client in Python, Go, Java or another language. For TypeScript, use ${link('our client', `${addresses.guide('getting-started')}#install-the-typescript-client`)}. The page of each operation has sample requests in curl, TypeScript, Python and Go. The Python and Go samples use only the standard library. For Postman and Bruno, there are ${link('collections', '/downloads/#collections')}.`,
      ),
      ...generatedClient(newest),
      ...(workflows.length > 0
        ? [
            heading(2, 'Arazzo', 'arazzo'),
            prose('The [workflows](/workflows/) are available as Arazzo documents.'),
            table(['Workflow', 'YAML', 'JSON'], workflows),
          ]
        : []),
      prose(
        'For language models, [llms.txt](/llms.txt) lists all pages, and every page is also available as Markdown. In a clone of the repository, `npx @svc-admin/docs mcp` serves search and pages with the Model Context Protocol.',
      ),
    ],
  }
}

/** Describes what overlays add to a document, and how to apply them. */
function provenance({ fact: { id } }: VersionModel): Block[] {
  return [
    heading(3, 'Add the provenance', 'add-the-provenance'),
    prose(
      `The documents don’t show where each statement comes from. An [OpenAPI Overlay](https://spec.openapis.org/overlay/v1.0.0.html) adds this information, such as ${link(`${id}.overlay.json`, `/openapi/${id}.overlay.json`)}; the package \`@svc-admin/spec\` has an overlay for each version. It contains ${code('x-strength')} (${code('stated')}, ${code('decided')} or ${code('open')}), ${code('x-source')}, and ${code('x-decided')} for parts that are our decision. Apply the overlay if your tool needs these extensions:`,
    ),
    {
      kind: 'code',
      language: 'shell',
      label: 'Apply an overlay with Redocly',
      text: `npx @redocly/cli bundle ${id}.json --overlay ${id}.overlay.json --output with-provenance.json`,
    },
  ]
}

// Known limitations of code generators, with the workarounds that the programs in `spec/portable` use.
const limits = [
  {
    generator: 'openapi-generator (Java)',
    limit: `The client throws ${code('Authentication undefined: digest')}, because it doesn’t support Digest authentication.`,
    workaround: `Override ${code('updateParamsForAuth')} of ${code('ApiClient')} so that it uses only ${code('serviceAccount')}.`,
  },
  {
    generator: 'ogen',
    limit: 'Rejects documents with Digest authentication.',
    workaround: `Set ${code('ignore_not_implemented: [ all ]')} under ${code('generator')} in its configuration.`,
  },
  {
    generator: 'ogen',
    limit: `Expects a body in 204 responses, because the documents give these responses a media type. openapi-generator’s Python and Java clients need the media type to send ${code('Accept')}.`,
    workaround: 'Remove the empty media types from the document.',
  },
  {
    generator: 'openapi-zod-client',
    limit: `Ignores ${code('const')}. Its client throws when you import it. See [issue 326](https://github.com/astahmer/openapi-zod-client/issues/326).`,
    workaround: `Write each ${code('const')} as ${code('enum')} with one value.`,
  },
  {
    generator: 'orval',
    limit: 'The types don’t include responses without a body, such as 204.',
    workaround: `Remove the empty media types, or read ${code('status')} as a number.`,
  },
  {
    generator: 'Kubb',
    limit: 'The fetch client returns error bodies as if they were results.',
    workaround: `Check ${code('errorCode')}.`,
  },
]

/**
 * Explains how to set `Accept` in a generated client. In v2, the server selects the version by this header, but few
 * generated clients set it.
 */
function generatedClient({ document, fact, prefix }: VersionModel): Block[] {
  const name = document.info.title.toLowerCase().replace(/\W+/g, '_')
  return [
    heading(3, 'Set the version', 'set-the-version'),
    prose(
      `Every v2 request must specify its ${link('version', addresses.guide('versioning'))} in ${code('Accept')}. Otherwise, the request returns ${codeLink('NOT_ACCEPTABLE', addresses.error('NOT_ACCEPTABLE'))}. In the documents, the responses’ media types contain the version, but many generated clients don’t send these media types. Set the header once for all requests:`,
    ),
    {
      kind: 'code',
      language: 'python',
      label: 'A client generated by openapi-python-client',
      text: `import os

from ${name}_client import AuthenticatedClient
from ${name}_client.api.alerts import list_alerts

client = AuthenticatedClient(
    base_url=os.environ["SVC_BASE_URL"] + "${prefix}",
    token=os.environ["SVC_TOKEN"],
    headers={"Accept": "${fact.mediaType}"},
)
response = list_alerts.sync_detailed(client=client, group_id=os.environ["SVC_GROUP_ID"])
print(response.status_code)`,
    },
    prose(
      `Use the date of the document. If a request has a body, its generated ${code('Content-Type')} already contains this date.`,
    ),
    prose(
      'openapi-generator’s Python and Java clients send the header without this setting. Its Go client sends `application/json`. Its Rust and TypeScript clients don’t send `Accept`. Neither do the clients from oapi-codegen, ogen, @hey-api/openapi-ts, Kubb and orval.',
    ),
    heading(3, 'Authenticate the client', 'authenticate'),
    prose(
      `Use a ${link('token', addresses.guide('authentication'))}, because few generators support Digest authentication. Request the token with your HTTP library, because the path of the token endpoint doesn’t start with the prefix. Some generated clients add the prefix to its address. Others send the request to the example address in the document.`,
    ),
    heading(3, 'Limits of generators', 'limits-of-generators'),
    prose('These clients need a workaround:'),
    table(
      ['Generator', 'Limit', 'Workaround'],
      limits.map(({ generator, limit, workaround }) => [generator, limit, workaround]),
    ),
    prose(
      `These commands remove the empty media types of responses without a body, and then write each ${code('const')} as ${code('enum')}:`,
    ),
    {
      kind: 'code',
      language: 'shell',
      label: 'Change a document with jq',
      text: `jq 'walk(if type == "object" and [.content[]?] == [{}] then del(.content) else . end)' ${fact.id}.json > without.json
jq 'walk(if type == "object" and has("const") then .enum = [.const] | del(.const) else . end)' without.json > changed.json`,
    },
  ]
}
