import { type RequirementId, type RoleId, roles } from '@svc-admin/types'
import { inScope } from '../../src/check/rule.ts'
import type { Cell } from '../../src/model/api.ts'
import { isAllowed } from '../../src/run-context/holders.ts'
import { roleIds } from '../../src/target/role-ids.ts'
import { holderOfRequest } from '../holders.ts'
import {
  type CredentialDefect,
  errorResponse,
  insteadOf,
  isSuccess,
  type MutantInput,
  perCell,
  requestHeader,
} from '../mutant.ts'
import type { ProxiedRequest } from '../proxy.ts'

const onApi = (inputs: (cell: Cell) => MutantInput[]) => (cell: Cell) =>
  cell.operation.security === 'api' ? inputs(cell) : []

const accepted: readonly { fault: CredentialDefect; hint: RequirementId }[] = [
  { fault: 'missing', hint: 'auth.no-credentials-refused' },
  { fault: 'other scheme', hint: 'auth.wrong-scheme-refused' },
  { fault: 'bearer', hint: 'auth.bearer-garbage-refused' },
  { fault: 'unknown key', hint: 'auth.digest-unknown-key-refused' },
  { fault: 'password', hint: 'auth.digest-wrong-password-refused' },
  { fault: 'method', hint: 'auth.digest-method-checked' },
  { fault: 'uri', hint: 'auth.digest-uri-checked' },
  { fault: 'forged nonce', hint: 'auth.digest-forged-nonce-refused' },
  { fault: 'repeated count', hint: 'auth.digest-nonce-count-not-repeated' },
]

export const acceptsBadCredentials = perCell(
  'accepts bad credentials',
  onApi(() =>
    accepted.map(({ fault, hint }) => ({
      what: fault,
      hints: [hint],
      make: insteadOf(
        ({ status }, request, tools) =>
          (status === 401 || status === 400) && tools.faultOf(request) === fault,
        (request, tools) => tools.asOwner(request),
      ),
    })),
  ),
)

export const acceptsExpired = perCell(
  'accepts expired credentials',
  onApi(() => [
    {
      what: 'bearer',
      hints: ['auth.bearer-expired-refused'],
      make: insteadOf(
        ({ status }, request) =>
          status === 401 && /^bearer /i.test(requestHeader(request, 'Authorization') ?? ''),
        (request, tools) => tools.asOwner(request),
      ),
    },
    {
      what: 'nonce',
      hints: ['auth.digest-stale-only-for-expired-nonce'],
      make: insteadOf(
        ({ status, headers }) => status === 401 && headers.some(([, value]) => value.includes('stale=true')),
        (request, tools) => tools.asOwner(request),
      ),
    },
    {
      what: 'token in the query',
      hints: ['auth.bearer-in-query-refused'],
      make: insteadOf(
        ({ status }, request) => status === 401 && request.path.includes('access_token='),
        async (request, tools) =>
          tools.asOwner({ ...request, path: request.path.replace(/[?&]access_token=[^&]*/, '') }),
      ),
    },
  ]),
)

const refusing = (concerns: (request: ProxiedRequest) => boolean, status: 401 | 403) => () => {
  const [code, reason] =
    status === 401
      ? (['UNAUTHORIZED', 'Unauthorized'] as const)
      : (['INSUFFICIENT_ROLE', 'Forbidden'] as const)
  const refusal = errorResponse(status, code, reason)
  const challenge = [
    'WWW-Authenticate',
    'Digest realm="r", nonce="n", qop="auth", algorithm=MD5, stale=false',
  ] as const
  return async (request: ProxiedRequest, forward: (request: ProxiedRequest) => Promise<typeof refusal>) => {
    const response = await forward(request)
    return concerns(request) && isSuccess(response)
      ? { ...refusal, headers: [...refusal.headers, challenge] }
      : response
  }
}

const schemeOf = (request: ProxiedRequest): string =>
  (requestHeader(request, 'Authorization') ?? '').split(' ')[0]?.toLowerCase() ?? ''

const inSmallLetters: MutantInput = {
  what: 'bearer in small letters',
  hints: ['auth.scheme-in-any-case'],
  make: refusing((request) => /^bearer /.test(requestHeader(request, 'Authorization') ?? ''), 401),
}

/** Makes the server reject valid credentials. Each mutant affects only one authentication scheme. */
export const refusesGoodCredentials = perCell(
  'refuses good credentials',
  onApi(({ operation }) => [
    ...(['digest', 'bearer'] as const).map(
      (scheme): MutantInput => ({
        what: scheme,
        hints: [`auth.${scheme}-accepted`],
        make: refusing((request) => schemeOf(request) === scheme, 401),
      }),
    ),
    // All operations share the code that parses the scheme's name, so testing one operation is enough.
    ...(operation.id === 'listMatcherFieldNames' ? [inSmallLetters] : []),
  ]),
)

const inProject = ({ operation }: Cell): boolean => operation.pathParameters.includes('groupId')

/** Makes the server accept requests from callers whose role isn't sufficient. */
export const roleNotChecked = perCell(
  'role not checked',
  onApi((cell) =>
    cell.row.roles.includes('ANY')
      ? []
      : roleIds
          .filter((role) => !isAllowed(role, cell))
          .map((role) => ({
            what: role,
            hints: ['roles.other-role-refused'],
            make: insteadOf(
              ({ status }, request) => status === 403 && holderOfRequest(request) === role,
              (request, tools) => tools.asOwner(request),
            ),
          })),
  ),
)

const servedBy = (role: RoleId, cell: Cell): RequirementId => {
  if (cell.row.roles.includes('ANY')) return 'roles.any-role-suffices'
  return cell.row.roles.includes(role) ? 'roles.needed-role-suffices' : 'roles.containing-role-suffices'
}

/** Makes the server reject requests from callers whose role is sufficient. */
export const roleRefused = perCell(
  'role refused',
  onApi((cell) =>
    roleIds
      .filter((role) => isAllowed(role, cell) && roles[role] !== undefined)
      .map((role) => ({
        what: role,
        hints: [servedBy(role, cell)],
        make: refusing((request) => holderOfRequest(request) === role, 403),
      })),
  ),
)

/** Makes the server reveal that a resource exists to callers who have no role in its project or organization. */
export const strangerLearns = perCell(
  'stranger learns of the project',
  onApi((cell) =>
    inScope(cell) === true
      ? (inProject(cell) ? (['noRole', 'otherProject'] as const) : (['noRole'] as const)).flatMap((who) => [
          {
            what: `${who} rejected`,
            hints: ['roles.stranger-learns-nothing'],
            make: () => async (request, forward) => {
              const response = await forward(request)
              const concerned = response.status === 404 && holderOfRequest(request) === who
              return concerned ? errorResponse(403, 'INSUFFICIENT_ROLE', 'Forbidden') : response
            },
          } satisfies MutantInput,
          {
            what: `${who} served`,
            hints: ['roles.without-role-refused'],
            make: insteadOf(
              ({ status }, request) => status === 404 && holderOfRequest(request) === who,
              (request, tools) => tools.asOwner(request),
            ),
          } satisfies MutantInput,
        ])
      : [
          {
            what: 'noRole served',
            hints: ['roles.without-role-refused'],
            make: insteadOf(
              ({ status }, request) => status >= 400 && holderOfRequest(request) === 'noRole',
              (request, tools) => tools.asOwner(request),
            ),
          },
        ],
  ),
)

/** Makes the server accept requests from addresses that aren't on the access list. */
export const accessListIgnored = perCell(
  'access list ignored',
  onApi(() => [
    {
      hints: ['auth.access-list-enforced'],
      make: insteadOf(
        ({ status }, request) => status === 403 && holderOfRequest(request) === 'restricted',
        (request, tools) => tools.asOwner(request),
      ),
    },
  ]),
)
