import {
  type ContentView,
  contentOf,
  isApiOperation,
  operationAt,
  requestOf,
  responsesOf,
} from './read/operations.ts'
import { everyOperation, type Rule, type RuleContext } from './read/rule.ts'
import { dateOfMediaType } from './read/words.ts'

export const rule: Rule = {
  id: 'media-type-date',
  message:
    'requests and success responses in v2 must have the media type application/vnd.svc.<date>+json, with a date from versions.yaml. Errors, and requests and responses in v1.0, must have the media type application/json.',
  why: 'The media type specifies the version of a request or response.',
  scope: 'ours',
  given: everyOperation,
  function(_, context) {
    const operation = operationAt(context.document, context.path)
    if (!operation || !isApiOperation(operation)) return []
    const request = requestOf(context.document, operation)
    const bodies = request ? contentOf(request) : []
    const responses = responsesOf(context.document, operation)
    const [successes, errors] = [true, false].map((wanted) =>
      responses.filter(({ status }) => status.startsWith('2') === wanted).flatMap(contentOf),
    )
    return [
      ...[...bodies, ...(successes ?? [])].flatMap((content) => versioned(content, context)),
      ...(errors ?? []).flatMap(plain),
    ]
  },
}

function versioned(content: ContentView, { facts, version }: RuleContext) {
  if (version?.generation === 'v1.0') return plain(content)
  const date = dateOfMediaType(content.mediaType)
  if (date !== undefined && facts.versions.some(({ id }) => id === date)) return []
  const message = date === undefined ? `${content.mediaType} has no date` : `${date} is not a known version`
  return [{ message, path: content.path }]
}

function plain({ mediaType, path }: ContentView) {
  return mediaType === 'application/json' ? [] : [{ message: `the media type is ${mediaType}`, path }]
}
