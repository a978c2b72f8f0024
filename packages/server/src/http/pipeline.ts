import { Problem } from '../domain/problem.ts'
import { TokenProblem } from '../domain/token-problem.ts'
import type { OperationModule } from '../operations/operation.ts'
import { heldToTurn } from '../world/held-to-turn.ts'
import type { Exchange, Step } from './exchange.ts'
import { type RenderedProblem, renderProblem, toProblem } from './problem-body.ts'
import { type Rendered, render } from './render.ts'
import { authenticate } from './steps/authenticate.ts'
import { authorise } from './steps/authorise.ts'
import { checkPathFormat } from './steps/check-path.ts'
import { negotiate } from './steps/negotiate.ts'
import { readJsonBody, readQuery } from './steps/read-input.ts'
import { authenticateClient, forbidStoring, readGrant } from './steps/token.ts'
import { renderTokenProblem, toTokenProblem } from './token-problem-body.ts'
import { watchInput } from './watch-input.ts'

/** How the requests of one kind of credentials are checked, and how they are refused. */
export interface Pipeline {
  readonly steps: readonly Step[]
  readonly refuse: (error: unknown, exchange: Pick<Exchange, 'shape'>) => RenderedProblem
}

/**
 * What is checked, in the order in which it is checked. The route (404, 405) came before; the resource, its tier
 * and its state come with the operation itself.
 */
const api: Pipeline = {
  steps: [authenticate, negotiate, checkPathFormat, authorise, readQuery, readJsonBody],
  refuse: (error, { shape }) => renderProblem(toProblem(error), shape),
}

const clientCredentials: Pipeline = {
  steps: [forbidStoring, authenticateClient, readQuery, readGrant],
  refuse: (error, { shape }) => renderTokenProblem(toTokenProblem(error, toProblem(error)), shape),
}

export const pipelines = { api, 'client-credentials': clientCredentials } as const

/** Takes a request through the steps and asks the operation. */
export async function run(
  { steps }: Pipeline,
  operation: OperationModule,
  exchange: Exchange,
): Promise<Rendered> {
  for (const step of steps) {
    const pending = step.run(exchange)
    if (pending) await pending
  }
  const { world, route, turns } = exchange
  if (!world.sandbox) return render(await operation.handle(exchange), exchange)
  if (route.row.security === 'api') watchInput(exchange)
  // Who looks is shown the world as it is; who changes something would take the time of before, and the rights, with him.
  const input = route.row.method === 'GET' ? exchange : { ...exchange, world: await heldToTurn(world, turns) }
  return render(await operation.handle(input), exchange)
}

/** Whether a throw is one of ours, or a fault of the server that somebody should read about. */
export const isUnexpected = (error: unknown): boolean =>
  !(error instanceof Problem || error instanceof TokenProblem) && toProblem(error).code === 'UNEXPECTED_ERROR'
