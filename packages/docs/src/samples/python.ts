import type { SampleCall } from './call.ts'
import { formBody } from './curl.ts'

const escaped = (text: string): string => JSON.stringify(text)

/** Formats JSON as a Python literal. */
export function pythonLiteral(value: unknown, indent = ''): string {
  const inner = `${indent}    `
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return escaped(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((each) => `${inner}${pythonLiteral(each, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value)
    if (entries.length === 0) return '{}'
    const lines = entries.map(([name, each]) => `${inner}${escaped(name)}: ${pythonLiteral(each, inner)},\n`)
    return `{\n${lines.join('')}${indent}}`
  }
  return String(value)
}

/** Creates a Python program that uses only the standard library. */
export function pythonProgram(call: SampleCall): string {
  const { method, path, query, accept, contentType, body, origin, basic } = call
  const form = contentType === 'application/x-www-form-urlencoded'
  const search =
    query.length > 0 ? `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}` : ''
  const data = form
    ? `${escaped(formBody(body))}.encode()`
    : `json.dumps(${pythonLiteral(body, '    ')}).encode()`
  const headers = [
    `"Accept": ${escaped(accept)}`,
    ...(contentType ? [`"Content-Type": ${escaped(contentType)}`] : []),
    ...(basic ? ['"Authorization": "Basic " + base64.b64encode(account.encode()).decode()'] : []),
  ]
  return [
    `import ${[...(basic ? ['base64'] : []), ...(body !== undefined && !form ? ['json'] : []), 'os'].join('\nimport ')}`,
    'import urllib.request',
    '',
    `base_url = os.environ.get("SVC_BASE_URL", ${escaped(origin)})`,
    ...(basic
      ? [
          'account = os.environ["SVC_CLIENT_ID"] + ":" + os.environ["SVC_CLIENT_SECRET"]',
          'opener = urllib.request.build_opener()',
        ]
      : [
          'passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()',
          'public_key, private_key = os.environ["SVC_PUBLIC_KEY"], os.environ["SVC_PRIVATE_KEY"]',
          'passwords.add_password(None, base_url, public_key, private_key)',
          'opener = urllib.request.build_opener(urllib.request.HTTPDigestAuthHandler(passwords))',
        ]),
    'request = urllib.request.Request(',
    `    base_url + ${escaped(path + search)},`,
    `    method=${escaped(method)},`,
    '    headers={',
    ...headers.map((each) => `        ${each},`),
    '    },',
    ...(body === undefined ? [] : [`    data=${data},`]),
    ')',
    'with opener.open(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}
