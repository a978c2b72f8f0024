import type { Operator } from '../mutant.ts'
import {
  acceptsBadCredentials,
  acceptsExpired,
  accessListIgnored,
  refusesGoodCredentials,
  roleNotChecked,
  roleRefused,
  strangerLearns,
} from './access.ts'
import { alertConfigLosses } from './alert-configs.ts'
import { exports, restores, snapshots } from './backups.ts'
import { combinations } from './combinations.ts'
import { effects } from './effects.ts'
import { leak, noChallenge, unnamedFault, wrongAllow, wrongError } from './errors.ts'
import { flags, resultsWrapped } from './flags.ts'
import { wrongIdentifiers } from './identifiers.ts'
import { bodyInput, queryInput } from './input.ts'
import { onlySome } from './only-some.ts'
import { optionalFields } from './optional-fields.ts'
import { paging, pagingBounds } from './paging.ts'
import { accessRoles, migrations, outages, settings } from './projects.ts'
import { dropListed, dropRequired, wrongType } from './response-schema.ts'
import { absentOperation, checkOrder, elsewhere, methods, unknownPath } from './routes.ts'
import { compliance, schedules } from './schedules.ts'
import { analyzers, ftsIndexes, searchIndexes, searchNodes } from './search.ts'
import { secondOrder } from './second-order.ts'
import { accessLogState } from './state-access-logs.ts'
import { alertConfigState } from './state-alert-configs.ts'
import { alertState } from './state-alerts.ts'
import {
  bodyOnEmpty,
  linksAsObject,
  localTime,
  malformedDeprecation,
  missingHeader,
  noSelf,
  notJson,
  otherMediaType,
  otherStatus,
} from './success.ts'
import { tokens } from './token.ts'
import { poorRefusal, refusesAsked, resolvesWrongly, servesUnasked, wrongContentType } from './versions.ts'

export const operators: readonly Operator[] = [
  dropRequired,
  dropListed,
  wrongType,
  otherStatus,
  otherMediaType,
  missingHeader,
  malformedDeprecation,
  notJson,
  noSelf,
  linksAsObject,
  localTime,
  bodyOnEmpty,
  wrongError,
  leak,
  noChallenge,
  wrongAllow,
  unnamedFault,
  acceptsBadCredentials,
  acceptsExpired,
  refusesGoodCredentials,
  roleNotChecked,
  roleRefused,
  strangerLearns,
  accessListIgnored,
  wrongIdentifiers,
  servesUnasked,
  refusesAsked,
  poorRefusal,
  resolvesWrongly,
  wrongContentType,
  queryInput,
  bodyInput,
  flags,
  resultsWrapped,
  combinations,
  paging,
  pagingBounds,
  checkOrder,
  methods,
  elsewhere,
  unknownPath,
  absentOperation,
  alertConfigState,
  alertConfigLosses,
  alertState,
  accessLogState,
  snapshots,
  restores,
  exports,
  schedules,
  compliance,
  ftsIndexes,
  searchIndexes,
  analyzers,
  searchNodes,
  settings,
  accessRoles,
  outages,
  migrations,
  tokens,
  secondOrder,
  optionalFields,
  effects,
  onlySome,
]
