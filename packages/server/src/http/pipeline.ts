import { Problem } from '../domain/problem.ts'
import { TokenProblem } from '../domain/token-problem.ts'
import type { OperationModule } from '../operations/operation.ts'
import { fencedWorld } from '../world/fenced-world.ts'
import { type RenderedProblem, renderProblem, toProblem } from './problem-body.ts'
import { type Rendered, render } from './render.ts'
import type { RequestContext, Step } from './request-context.ts'
import { authenticate } from './steps/authenticate.ts'
import { authorize } from './steps/authorize.ts'
import { checkPathFormat } from './steps/check-path.ts'
import { negotiate } from './steps/negotiate.ts'
import { readJsonBody, readQuery } from './steps/read-input.ts'
import { authenticateClient, forbidStoring, readGrant } from './steps/token.ts'
import { renderTokenProblem, toTokenProblem } from './token-problem-body.ts'
import { trackInputReads } from './track-input-reads.ts'

/** The processing steps for requests with a given kind of credentials, and a function that renders errors. */
export interface Pipeline {
  readonly steps: readonly Step[]
  readonly renderError: (error: unknown, context: Pick<RequestContext, 'format'>) => RenderedProblem
}

/**
 * The checks for API requests, in order. The router has already rejected unknown paths (404) and methods (405). The
 * operation itself checks the resource, its tier and its state.
 */
const api: Pipeline = {
  steps: [authenticate, negotiate, checkPathFormat, authorize, readQuery, readJsonBody],
  renderError: (error, { format }) => renderProblem(toProblem(error), format),
}

const clientCredentials: Pipeline = {
  steps: [forbidStoring, authenticateClient, readQuery, readGrant],
  renderError: (error, { format }) => renderTokenProblem(toTokenProblem(error, toProblem(error)), format),
}

export const pipelines = { api, 'client-credentials': clientCredentials } as const

export async function run(
  { steps }: Pipeline,
  operation: OperationModule,
  context: RequestContext,
): Promise<Rendered> {
  for (const step of steps) {
    const pending = step.run(context)
    if (pending) await pending
  }
  const { world, route, rewinds } = context
  if (!world.sandbox) return render(await operation.handle(context), context)
  if (route.row.security === 'api') trackInputReads(context)
  // If the world was rewound after the request started, the time and permissions of the request are outdated.
  // In this case, writes must fail, but reads can return the current state.
  if (route.row.method === 'GET') return render(await operation.handle(context), context)
  const fenced = fencedWorld(world, rewinds)
  const input = { ...context, world: fenced instanceof Promise ? await fenced : fenced }
  return render(await operation.handle(input), context)
}

/** Returns whether an error is a bug or an unexpected failure, which must be logged. */
export const isUnexpected = (error: unknown): boolean =>
  !(error instanceof Problem || error instanceof TokenProblem) && toProblem(error).code === 'UNEXPECTED_ERROR'
