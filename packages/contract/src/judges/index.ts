import { completeBody, errorBody, successBody, tokenBody, tokenErrorBody } from './body.ts'
import {
  errorCodeInCatalogue,
  errorIsStatus,
  noSecret,
  reasonOfStatus,
  tokenErrorInCatalogue,
} from './errors.ts'
import {
  allow,
  basicChallenge,
  challengeNotStale,
  declaredHeaders,
  digestChallenge,
  retryAfter,
  tokenRetryAfter,
} from './headers.ts'
import type { Judge } from './judge.ts'
import { links } from './links.ts'
import {
  anyDatedMediaType,
  errorMediaType,
  plainMediaType,
  tokenMediaType,
  variesByAccept,
  versionedMediaType,
} from './media-type.ts'
import { envelopeStatus, noServerError, statusDeclared, successStatus } from './status.ts'

/** All judges. Each judge checks every exchange of a run. */
export const judges: readonly Judge[] = [
  statusDeclared,
  successStatus,
  noServerError,
  envelopeStatus,
  anyDatedMediaType,
  versionedMediaType,
  plainMediaType,
  tokenMediaType,
  errorMediaType,
  variesByAccept,
  successBody,
  completeBody,
  links,
  tokenBody,
  errorBody,
  tokenErrorBody,
  ...declaredHeaders,
  digestChallenge,
  challengeNotStale,
  basicChallenge,
  allow,
  retryAfter,
  tokenRetryAfter,
  errorIsStatus,
  errorCodeInCatalogue,
  reasonOfStatus,
  tokenErrorInCatalogue,
  noSecret,
]
