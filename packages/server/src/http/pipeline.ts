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

/** How the requests of one kind of credentials are checked, and how they are refused. */
export interface Pipeline {
  readonly steps: readonly Step[]
  readonly renderError: (error: unknown, context: Pick<RequestContext, 'format'>) => RenderedProblem
}

/**
 * What is checked, in the order in which it is checked. The route (404, 405) came before; the resource, its tier
 * and its state come with the operation itself.
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

/** Takes a request through the steps and asks the operation. */
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
  // Who looks is shown the world as it is; who changes something would take the time of before, and the rights, with him.
  const input =
    route.row.method === 'GET' ? context : { ...context, world: await fencedWorld(world, rewinds) }
  return render(await operation.handle(input), context)
}

/** Whether a throw is one of ours, or a fault of the server that somebody should read about. */
export const isUnexpected = (error: unknown): boolean =>
  !(error instanceof Problem || error instanceof TokenProblem) && toProblem(error).code === 'UNEXPECTED_ERROR'
