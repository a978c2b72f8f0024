import type { SampleCall } from './call.ts'
import { formBody } from './curl.ts'

const quoted = (text: string): string => JSON.stringify(text)
const rawString = (text: string): string => (text.includes('`') ? quoted(text) : `\`${text}\``)

/**
 * Creates a Go program that uses only the standard library. The program authenticates with a token because the library
 * doesn't support Digest.
 */
export function goProgram(call: SampleCall): string {
  const { method, path, query, accept, contentType, body, basic } = call
  const form = contentType === 'application/x-www-form-urlencoded'
  const search =
    query.length > 0 ? `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}` : ''
  const text = form ? formBody(body) : JSON.stringify(body, null, 2)
  const imports = ['fmt', 'io', 'log', 'net/http', 'os', ...(body === undefined ? [] : ['strings'])]
  return [
    'package main',
    '',
    `import (\n${imports.map((name) => `\t"${name}"\n`).join('')})`,
    '',
    'func main() {',
    '\tbase := os.Getenv("SVC_BASE_URL")',
    `\turl := base + ${quoted(path + search)}`,
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(${rawString(text)})`]),
    `\trequest, err := http.NewRequest(${quoted(method)}, url, ${body === undefined ? 'nil' : 'body'})`,
    '\tcheck(err)',
    basic
      ? '\trequest.SetBasicAuth(os.Getenv("SVC_CLIENT_ID"), os.Getenv("SVC_CLIENT_SECRET"))'
      : '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_TOKEN"))',
    `\trequest.Header.Set("Accept", ${quoted(accept)})`,
    ...(contentType ? [`\trequest.Header.Set("Content-Type", ${quoted(contentType)})`] : []),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tcheck(err)',
    '\tdefer response.Body.Close()',
    '\tresponseBody, err := io.ReadAll(response.Body)',
    '\tcheck(err)',
    '\tfmt.Println(response.StatusCode, string(responseBody))',
    '}',
    '',
    'func check(err error) {\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n}',
  ].join('\n')
}
