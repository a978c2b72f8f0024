import type { FetchResponse, ParamsOption, RequestBodyOption } from 'openapi-fetch'
import { expectTypeOf, test } from 'vitest'
import type { v1_0, v2023_01_01, v2024_05_30, v2024_08_05, v2025_03_12 } from '#api'

type Operation<Paths, Path, Method> = Path extends keyof Paths
  ? Method extends keyof Paths[Path]
    ? Paths[Path][Method] & object
    : never
  : never

/** The paths that have the method, by the interface that openapi-fetch reads. */
type PathsWith<Paths, Method> = {
  [Path in keyof Paths]: Method extends keyof Paths[Path] ? Path : never
}[keyof Paths]

/** The body of each answer, whichever way it says that there is none. */
type Bodies<Answer> = Answer extends { data?: infer Data; error?: infer Failed }
  ? { data: Exclude<Data, undefined>; error: Exclude<Failed, undefined> }
  : never

type Ours<Answers> = { [Path in keyof Answers]: Bodies<Awaited<Answers[Path]>> }
type Theirs<Paths, Method, Answers> = {
  [Path in keyof Answers]: Bodies<
    FetchResponse<Operation<Paths, Path, Method>, object, `${string}/${string}`>
  >
}

/**
 * The bodies by `Paths` alone. What openapi-fetch makes of them loses the open end of a list of known values, so that
 * it is compared in one direction only.
 */
type Said<Paths, Method, Answers> = {
  [Path in keyof Answers]:
    | { data: Content<Operation<Paths, Path, Method>, 200 | 201 | 202 | 204>; error: never }
    | { data: never; error: Content<Operation<Paths, Path, Method>, Refusal> }
}
type Refusal = 400 | 401 | 402 | 403 | 404 | 405 | 406 | 409 | 410 | 413 | 415 | 429 | 500 | 503
type Content<Operation, Status> = Operation extends { responses: infer Responses }
  ? { [Each in keyof Responses & Status]: Bodied<Responses[Each]> }[keyof Responses & Status]
  : never
type Bodied<Response> = Response extends { content: infer Media } ? Media[keyof Media] : never

type Taken<Inits> = {
  [Path in keyof Inits]: Given<Pick<Inits[Path], keyof Inits[Path] & ('params' | 'body')>>
}
/** Without what openapi-fetch does not take: `undefined` for all parameters, or all of one place. */
type Given<Taking> = {
  [Name in keyof Taking]: Name extends 'params'
    ? Given<Exclude<Taking[Name], undefined>>
    : Exclude<Taking[Name], undefined>
}
type TheirsTake<Paths, Method, Inits> = {
  [Path in keyof Inits]: ParamsOption<Operation<Paths, Path, Method>> &
    RequestBodyOption<Operation<Paths, Path, Method>>
}

type SaidTake<Paths, Method, Inits> = {
  [Path in keyof Inits]: ParamsOption<Operation<Paths, Path, Method>> &
    (Operation<Paths, Path, Method> extends { requestBody: { content: infer Media } }
      ? { body: Media[keyof Media] }
      : unknown)
}

type Extends<Left, Right> = [Left] extends [Right] ? true : Left

/** True where a map has the paths of the method, and says of each what openapi-fetch works out of `Paths`. */
type Verdict<Paths, Method, Inits, Answers> =
  | Extends<keyof Inits | keyof Answers, PathsWith<Paths, Method>>
  | Extends<PathsWith<Paths, Method>, keyof Inits & keyof Answers>
  | Extends<Ours<Answers>, Theirs<Paths, Method, Answers>>
  | Extends<Ours<Answers>, Said<Paths, Method, Answers>>
  | Extends<Said<Paths, Method, Answers>, Ours<Answers>>
  | Extends<Taken<Inits>, TheirsTake<Paths, Method, Inits>>
  | Extends<SaidTake<Paths, Method, Inits>, Taken<Inits>>

test('calls by path take and answer what openapi-fetch says that they do', () => {
  expectTypeOf<
    | Verdict<v1_0.Paths, 'get', v1_0.GetInits, v1_0.GetResponses>
    | Verdict<v1_0.Paths, 'put', v1_0.PutInits, v1_0.PutResponses>
    | Verdict<v1_0.Paths, 'post', v1_0.PostInits, v1_0.PostResponses>
    | Verdict<v1_0.Paths, 'patch', v1_0.PatchInits, v1_0.PatchResponses>
    | Verdict<v1_0.Paths, 'delete', v1_0.DeleteInits, v1_0.DeleteResponses>
  >().toEqualTypeOf<true>()
  expectTypeOf<
    | Verdict<v2023_01_01.Paths, 'get', v2023_01_01.GetInits, v2023_01_01.GetResponses>
    | Verdict<v2023_01_01.Paths, 'put', v2023_01_01.PutInits, v2023_01_01.PutResponses>
    | Verdict<v2023_01_01.Paths, 'post', v2023_01_01.PostInits, v2023_01_01.PostResponses>
    | Verdict<v2023_01_01.Paths, 'patch', v2023_01_01.PatchInits, v2023_01_01.PatchResponses>
    | Verdict<v2023_01_01.Paths, 'delete', v2023_01_01.DeleteInits, v2023_01_01.DeleteResponses>
  >().toEqualTypeOf<true>()
  expectTypeOf<
    | Verdict<v2024_05_30.Paths, 'get', v2024_05_30.GetInits, v2024_05_30.GetResponses>
    | Verdict<v2024_05_30.Paths, 'put', v2024_05_30.PutInits, v2024_05_30.PutResponses>
    | Verdict<v2024_05_30.Paths, 'post', v2024_05_30.PostInits, v2024_05_30.PostResponses>
    | Verdict<v2024_05_30.Paths, 'patch', v2024_05_30.PatchInits, v2024_05_30.PatchResponses>
    | Verdict<v2024_05_30.Paths, 'delete', v2024_05_30.DeleteInits, v2024_05_30.DeleteResponses>
  >().toEqualTypeOf<true>()
  expectTypeOf<
    | Verdict<v2024_08_05.Paths, 'get', v2024_08_05.GetInits, v2024_08_05.GetResponses>
    | Verdict<v2024_08_05.Paths, 'put', v2024_08_05.PutInits, v2024_08_05.PutResponses>
    | Verdict<v2024_08_05.Paths, 'post', v2024_08_05.PostInits, v2024_08_05.PostResponses>
    | Verdict<v2024_08_05.Paths, 'patch', v2024_08_05.PatchInits, v2024_08_05.PatchResponses>
    | Verdict<v2024_08_05.Paths, 'delete', v2024_08_05.DeleteInits, v2024_08_05.DeleteResponses>
  >().toEqualTypeOf<true>()
  expectTypeOf<
    | Verdict<v2025_03_12.Paths, 'get', v2025_03_12.GetInits, v2025_03_12.GetResponses>
    | Verdict<v2025_03_12.Paths, 'put', v2025_03_12.PutInits, v2025_03_12.PutResponses>
    | Verdict<v2025_03_12.Paths, 'post', v2025_03_12.PostInits, v2025_03_12.PostResponses>
    | Verdict<v2025_03_12.Paths, 'patch', v2025_03_12.PatchInits, v2025_03_12.PatchResponses>
    | Verdict<v2025_03_12.Paths, 'delete', v2025_03_12.DeleteInits, v2025_03_12.DeleteResponses>
  >().toEqualTypeOf<true>()
})
