import { asNode, asText, fieldsOf } from './read/json.ts'
import { type Finding, type Rule, wholeDocument } from './read/rule.ts'

export const rule: Rule = {
  id: 'document-version',
  message:
    "info.version must be a version in versions.yaml. The title must not contain the version, and server URLs must end with the path prefix of the version's generation.",
  why: 'Callers choose a version by its date, so each document must show which version it describes.',
  scope: 'ours',
  given: wholeDocument,
  function(document, { facts, version }) {
    const root = asNode(document)
    const info = asNode(root.info)
    if (!version)
      return [
        {
          message: `info.version is ${info.version ?? 'missing'}, which is not a known version`,
          path: ['info', 'version'],
        },
      ]
    const prefix = facts.generations[version.generation]?.prefix ?? ''
    const servers = fieldsOf(root.servers, ['servers'])
    return [
      ...(asText(info.title).includes(version.id)
        ? [{ message: `the title contains ${version.id}`, path: ['info', 'title'] }]
        : []),
      ...servers
        .filter(({ value }) => !asText(value.url).endsWith(prefix))
        .map(({ path }): Finding => ({ message: `the server URL does not end with ${prefix}`, path })),
    ]
  },
}
