import type { Sample } from '../content/block.ts'
import type { SampleCall } from './call.ts'
import { curlBearer, curlDigest } from './curl.ts'
import { goProgram } from './go.ts'
import { pythonProgram } from './python.ts'
import { typescriptProgram } from './typescript.ts'

/**
 * Returns samples of the same request in every language that the site supports. The programs read the server's address
 * from `SVC_BASE_URL`. They read the credentials from `SVC_PUBLIC_KEY` and `SVC_PRIVATE_KEY`, from `SVC_CLIENT_ID` and
 * `SVC_CLIENT_SECRET`, or from `SVC_TOKEN`.
 */
export function samplesOf(call: SampleCall): Sample[] {
  return [
    {
      label: 'curl',
      caption: call.basic ? 'curl, with a service account' : 'curl, with an API key',
      language: 'shell',
      text: curlDigest(call),
    },
    ...(call.basic
      ? []
      : [
          {
            label: 'curl, token',
            caption: 'curl, with an access token',
            language: 'shell',
            text: curlBearer(call),
            isOnlyHtml: true,
          } as const,
        ]),
    {
      label: 'TypeScript',
      caption: 'TypeScript, with our client',
      language: 'typescript',
      text: typescriptProgram(call),
    },
    {
      label: 'Python',
      caption: 'Python, with the standard library',
      language: 'python',
      text: pythonProgram(call),
      isOnlyHtml: true,
    },
    {
      label: 'Go',
      caption: 'Go, with the standard library',
      language: 'go',
      text: goProgram(call),
      isOnlyHtml: true,
    },
  ]
}
