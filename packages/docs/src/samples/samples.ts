import type { Sample } from '../content/block.ts'
import type { SampleCall } from './call.ts'
import { curlBearer, curlDigest } from './curl.ts'
import { goProgram } from './go.ts'
import { pythonProgram } from './python.ts'
import { typescriptProgram } from './typescript.ts'

/**
 * The same request in every language of the site. The programs take the address and the credentials from the
 * environment: SVC_BASE_URL, SVC_PUBLIC_KEY and SVC_PRIVATE_KEY, SVC_CLIENT_ID and SVC_CLIENT_SECRET.
 */
export function samplesOf(call: SampleCall): Sample[] {
  return [
    {
      label: call.basic ? 'curl' : 'curl, Digest',
      caption: call.basic ? 'curl, as a service account' : 'curl, with an API key',
      language: 'shell',
      text: curlDigest(call),
    },
    ...(call.basic
      ? []
      : [
          {
            label: 'curl, token',
            caption: 'curl, with a token of a service account',
            language: 'shell',
            text: curlBearer(call),
          },
        ]),
    {
      label: 'TypeScript',
      caption: 'TypeScript, with the client',
      language: 'typescript',
      text: typescriptProgram(call),
    },
    {
      label: 'Python',
      caption: 'Python, with its standard library',
      language: 'python',
      text: pythonProgram(call),
    },
    { label: 'Go', caption: 'Go, with its standard library', language: 'go', text: goProgram(call) },
  ]
}
