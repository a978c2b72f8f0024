import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import manifest from '../../package.json' with { type: 'json' }
import { type Documentation, openDocumentation } from './documentation.ts'

/** Makes a built site available to clients of the Model Context Protocol over standard input and output. */
export async function serveDocumentation(folder: string): Promise<void> {
  const documentation = openDocumentation(folder)
  const server = new Server(
    { name: 'svc-admin-docs', version: manifest.version },
    { capabilities: { tools: {} } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(documentation) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    try {
      return { content: [{ type: 'text', text: call(documentation, name, given) }] }
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      return { content: [{ type: 'text', text }], isError: true }
    }
  })
  await server.connect(new StdioServerTransport())
}

const toolsOf = ({ versions }: Documentation) => [
  {
    name: 'search',
    description:
      'Searches the documentation of the cloud database administration API: operations, fields, error codes, limits, roles, headers, guides and requirements. The query can consist of words, questions, names or paths.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        query: { type: 'string', minLength: 1 },
        version: {
          type: 'string',
          enum: [...versions],
          description: 'Version to search. Defaults to the newest version.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 50,
          description: 'Maximum number of results. Defaults to 10.',
        },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'read',
    description:
      'Returns a documentation page as Markdown. If the path has an anchor, returns only the section at that anchor. Use a path from the search results.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        path: { type: 'string', description: 'Path of a page, such as guides/alerts/#metric-alerts.' },
      },
      required: ['path'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
]

function call(documentation: Documentation, tool: string, given: Record<string, unknown>): string {
  if (tool === 'read') return documentation.read(textOf(given, 'path'))
  if (tool !== 'search') throw new Error(`Unknown tool ${tool}. The tools are search and read.`)
  const version = given.version === undefined ? undefined : textOf(given, 'version')
  if (version !== undefined && !documentation.versions.includes(version))
    throw new Error(`Unknown version ${version}. The versions are ${documentation.versions.join(', ')}.`)
  const limit = typeof given.limit === 'number' ? given.limit : undefined
  const { message, found } = documentation.search(textOf(given, 'query'), { version, limit })
  if (found.length === 0) return 'No results.'
  const lines = found.map(
    ({ kind, title, url, detail }) => `- ${kind}: ${title} (${url})${detail ? `: ${detail}` : ''}`,
  )
  return [...(message ? [message] : []), ...lines].join('\n')
}

function textOf(given: Record<string, unknown>, name: string): string {
  const value = given[name]
  if (typeof value !== 'string' || value === '')
    throw new Error(`${name} must be a string with at least one character.`)
  return value
}
