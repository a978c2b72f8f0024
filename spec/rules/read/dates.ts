import { contentOf, type OperationView, requestOf, successOf } from './operations.ts'
import { dateOfMediaType } from './words.ts'

/**
 * Returns the dates in the media types of an operation's request and success response, earliest first. If the document
 * is valid, all media types have the same date.
 */
export function datesOf(document: unknown, operation: OperationView): string[] {
  const dates = [requestOf(document, operation), successOf(document, operation)]
    .flatMap((carrier) => (carrier ? contentOf(carrier) : []))
    .map(({ mediaType }) => dateOfMediaType(mediaType))
  return [...new Set(dates.filter((date) => date !== undefined))].sort()
}
