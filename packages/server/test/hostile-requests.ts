/**
 * Hostile requests, each with the status codes that are acceptable for its response. The requests are raw bytes,
 * because client libraries can't send most of them.
 */

import { limits } from '@svc-admin/types'

export interface HostileRequest {
  readonly name: string
  readonly bytes: Buffer
  /** The acceptable status codes. The value 0 means that the server may close the connection without a response. */
  readonly expected: readonly number[]
}

export interface HostileContext {
  readonly token: string
  readonly projectId: string
}

const v2 = 'application/vnd.svc.2023-01-01+json'

interface Parts {
  readonly method?: string
  readonly path?: string
  readonly headers?: readonly string[]
  readonly body?: string | Buffer
  readonly type?: string | undefined
  readonly length?: string | undefined
}

/** Returns all hostile requests, grouped by kind. */
export function hostileRequests(context: HostileContext): HostileRequest[] {
  const { token, projectId } = context
  const configs = `/api/svc/v2/groups/${projectId}/alertConfigs`
  const build = (parts: Parts): Buffer => {
    const { method = 'GET', path = configs, headers = [], body = '' } = parts
    const type = 'type' in parts ? parts.type : v2
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
    const length = 'length' in parts ? parts.length : String(bytes.length)
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      `Accept: ${v2}`,
      ...(method === 'GET' || type === undefined ? [] : [`Content-Type: ${type}`]),
      ...(method === 'GET' || length === undefined ? [] : [`Content-Length: ${length}`]),
      ...headers,
    ]
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
  }
  const request = (name: string, expected: readonly number[], parts: Parts): HostileRequest => ({
    name,
    expected,
    bytes: build(parts),
  })
  const post = (name: string, expected: readonly number[], body: string | Buffer, more: Parts = {}) =>
    request(`body: ${name}`, expected, { method: 'POST', body, ...more })
  return [
    ...pathRequests(projectId).map(([path, expected]) =>
      request(`path: ${path.slice(0, 60)}`, expected, { path }),
    ),
    ...queries.map((query) =>
      request(`query: ${query.slice(0, 60)}`, [400], { path: `${configs}?${query}` }),
    ),
    ...bodies().map(([name, body]) => post(name, [400], body)),
    ...[
      Buffer.from([0xff, 0xfe, 0x7b]),
      Buffer.from('{"a":"\xff"}', 'latin1'),
      Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
    ].map((body, index) => post(`bytes ${index}`, [400], body)),
    post('two megabytes', [413], `{"eventTypeName":"${'x'.repeat(2_000_000)}"}`),
    post('two megabytes announced', [413], '{', { length: '2000000' }),
    ...types.map((type) => post(`type ${type}`, [400, 415], '{}', { type })),
    post('a gzip label', [415], '{}', { headers: ['Content-Encoding: gzip'] }),
    ...headers().map(([name, expected, lines]) => request(`headers: ${name}`, expected, { headers: lines })),
    ...methods.map((method) => request(`method: ${method}`, [400, 405], { method, length: '0' })),
    ...authorizations.map((line) => withAuthorization(configs, line)),
    ...wires(configs),
  ]
}

function pathRequests(projectId: string): [string, readonly number[]][] {
  const groups = '/api/svc/v2/groups'
  const inGroup = `${groups}/${projectId}`
  return [
    [`${groups}/%zz/alertConfigs`, [400]],
    [`${groups}/%/alertConfigs`, [400]],
    [`${groups}/%c3%28/alertConfigs`, [400]],
    [`${groups}/%00/alertConfigs`, [400]],
    [`${groups}/${projectId}%00/alertConfigs`, [400]],
    [`${groups}/${projectId.toUpperCase()}/alertConfigs`, [400]],
    [`${groups}/${'a'.repeat(5000)}/alertConfigs`, [400]],
    [`${groups}/..%2f..%2f/alertConfigs`, [400]],
    [`${groups}/../groups/${projectId}/alertConfigs`, [404]],
    [`${groups}//alertConfigs`, [400, 404]],
    [`${inGroup}/alertConfigs/`, [400, 404]],
    [`${inGroup}//alertConfigs`, [404]],
    [`${inGroup}/alertConfigs%2f`, [404]],
    [`${inGroup}/ALERTCONFIGS`, [404]],
    [`${inGroup}/alertConfigs/__proto__`, [400]],
    [`${inGroup}/alertConfigs/constructor`, [400]],
    [`${inGroup}/alertConfigs/1' OR '1'='1`.replaceAll(' ', '%20'), [400]],
    [`${inGroup}/alertConfigs/${'f'.repeat(24)}%0a`, [400]],
    [`${inGroup}/alertConfigs/${'f'.repeat(24)};x=1`, [400]],
    [`${inGroup}/alertConfigs/%F0%9F%92%A9`, [400]],
    [`${inGroup}/alertConfigs/${'%41'.repeat(1000)}`, [400]],
    [`${inGroup}/dbAccessHistory/clusters/-bad`, [400]],
    [`${inGroup}/dbAccessHistory/clusters/a%20b`, [400]],
    [`${inGroup}/dbAccessHistory/clusters/${'a'.repeat(300)}`, [400]],
    [`${inGroup}/dbAccessHistory/clusters/${'a'.repeat(256)}!`, [400]],
    [`${inGroup}/dbAccessHistory/processes/${'h'.repeat(256)}`, [400]],
    [`${inGroup}/dbAccessHistory/processes/%00`, [400, 404]],
    [`${inGroup}/dbAccessHistory/processes/%ff`, [400]],
    ['/api/svc/v3/groups', [404]],
    ['/api/svc/v2', [404]],
    ['//api/svc/v2/alertConfigs/matchers/fieldNames', [404]],
    ['/api/svc/v2/alertConfigs/matchers/fieldNames#fragment', [400, 404]],
    ['http://other.example/api/svc/v2/nothing', [400, 404]],
    ['/%2e%2e/%2e%2e/etc/passwd', [404]],
    ['/..\\..\\windows', [400, 404]],
    ['*', [400, 404]],
    ['nothing', [400]],
    ['', [400]],
    [`/${'a'.repeat(100_000)}`, [431]],
  ]
}

const queries = [
  'unknown=1',
  'envelope=1',
  'envelope=true&envelope=false',
  'envelope[]=true',
  'envelope[a]=true',
  'pretty=%zz',
  'pretty=%ff',
  'pretty=%00',
  '%zz=1',
  '__proto__=1',
  'constructor=1',
  '__proto__[x]=1',
  'itemsPerPage=-1',
  'itemsPerPage=0',
  `itemsPerPage=${limits.itemsPerPage.maximum + 1}`,
  'itemsPerPage=1e2',
  'itemsPerPage=NaN',
  'itemsPerPage=Infinity',
  'itemsPerPage=0x10',
  'itemsPerPage=%31%00',
  'itemsPerPage=1&itemsPerPage=2',
  'itemsPerPage=99999999999999999999999',
  'pageNum=9007199254740993',
  'pageNum=-0',
  'pageNum=01',
  'pageNum=1.5',
  'pageNum=+1',
  'pageNum=',
  'pageNum',
  '=',
  '&&&=&',
  'includeCount=null',
  `x=${'y'.repeat(8000)}`,
  `${'a=1&'.repeat(1500)}`,
  'itemsPerPage=1;DROP%20TABLE%20alerts',
  'access_token=svc_at_x',
]

const config = '"eventTypeName":"HOST_DOWN","notifications":[]'

function bodies(): [string, string][] {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  return [
    ['nothing', ''],
    ['a space', ' '],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['an array', '[]'],
    ['an open object', '{'],
    ['a trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['a comment', `{/* */${config}}`],
    ['two documents', `{${config}}{}`],
    ['NaN', '{"enabled":NaN}'],
    ['1e999', `{${config},"enabled":1e999}`],
    ['a control character', '{"eventTypeName":"a\u0001"}'],
    ['a NUL after the end', `{${config}}\u0000`],
    ['a member twice', `{${config},"enabled":true,"enabled":false}`],
    ['a member twice by escape', `{${config},"enabled":true,"\\u0065nabled":false}`],
    ['a member twice deep down', `{"eventTypeName":"A","notifications":[{"typeName":"A","typeName":"B"}]}`],
    ['__proto__', `{${config},"__proto__":{"enabled":true}}`],
    ['__proto__ by escape', `{${config},"__prot\\u006f__":{}}`],
    ['__proto__ deep down', `{"eventTypeName":"A","notifications":[{"__proto__":{}}]}`],
    ['constructor', `{${config},"constructor":{"prototype":{}}}`],
    ['half a surrogate pair', '{"eventTypeName":"\\ud800","notifications":[]}'],
    ['the other half', '{"eventTypeName":"\\udc00","notifications":[]}'],
    ['halves in the wrong order', '{"eventTypeName":"\\udc00\\ud800","notifications":[]}'],
    ['U+0000', '{"eventTypeName":"a\\u0000b","notifications":[]}'],
    ['U+0000 after a backslash', '{"eventTypeName":"a\\\\\\u0000b","notifications":[]}'],
    ['U+0000 in a name', `{${config},"\\u0000":1}`],
    ['half a pair as a name', `{${config},"\\ud800":1}`],
    ['depth 65', `{"eventTypeName":"A","notifications":${deep(65)}}`],
    ['depth 100000', deep(100_000)],
    ['100000 open objects', '{"a":'.repeat(100_000)],
    ['an unknown member', `{${config},"unknown":"x"}`],
    ['a member named with slashes', `{${config},"a/b~c":1}`],
    ['a member with a long name', `{${config},"${'n'.repeat(10_000)}":1}`],
    ['10000 unknown members', `{${config},${Array.from({ length: 10_000 }, (_, n) => `"m${n}":1`).join()}}`],
    ['too many notifications', `{"eventTypeName":"A","notifications":[${Array(1001).fill('{}').join()}]}`],
    ['too many matchers', `{${config},"matchers":[${Array(1001).fill('{}').join()}]}`],
    ['a number for a text', '{"eventTypeName":1,"notifications":[]}'],
    ['null for a text', '{"eventTypeName":null,"notifications":[]}'],
    ['an empty text', '{"eventTypeName":"","notifications":[]}'],
    ['a long text', `{"eventTypeName":"${'x'.repeat(257)}","notifications":[]}`],
    ['a text for a boolean', `{${config},"enabled":"true"}`],
    ['an object for an array', '{"eventTypeName":"A","notifications":{"0":{}}}'],
    ['texts in an array of objects', '{"eventTypeName":"A","notifications":["EMAIL"]}'],
    [
      'a fraction for an integer',
      '{"eventTypeName":"A","notifications":[{"typeName":"EMAIL","delayMin":1.5}]}',
    ],
    ['a delay of text', '{"eventTypeName":"A","notifications":[{"typeName":"EMAIL","delayMin":"-1"}]}'],
    ['a huge delay', '{"eventTypeName":"A","notifications":[{"typeName":"EMAIL","delayMin":1e300}]}'],
    ['another severity', `{${config},"severityOverride":"LOUD"}`],
    ['no required member', '{}'],
  ]
}

const types: readonly (string | undefined)[] = [
  undefined,
  'text/plain',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/vnd.svc.2024-02-31+json',
  'application/vnd.svc.9999-01-01+json',
  'application/vnd.svc.+json',
  ';',
  'application',
  'application/vnd.svc.2023-01-01+json; charset=utf-16, text/html',
  `application/${'x'.repeat(5000)}`,
]

function headers(): [string, readonly number[], string[]][] {
  return [
    ['3000 of them', [431], Array.from({ length: 3000 }, (_, n) => `X-${n}: 1`)],
    ['one of 100 KiB', [431], [`X-Long: ${'x'.repeat(102_400)}`]],
    ['two authorizations', [401], ['Authorization: Bearer x']],
    ['two authorizations, 2100 lines apart', [401], [...Array(2100).fill('a:1'), 'Authorization: Bearer x']],
    ['no colon', [400], ['Nonsense']],
    ['a space before the colon', [400], ['X-Space : 1']],
    ['a NUL', [400], ['X-Nul: a\u0000b']],
    ['a bare line feed', [400], ['X-Feed: a\nX-Other: b']],
    ['folding', [200, 400], ['X-Fold: a\r\n b']],
    ['an empty name', [400], [': x']],
    ['a negative length', [400], ['Content-Length: -1']],
    ['a length that is no number', [400], ['Content-Length: x']],
    ['two lengths', [400], ['Content-Length: 1', 'Content-Length: 2']],
    ['a length and chunks', [400], ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['an unknown transfer encoding', [400], ['Transfer-Encoding: gzip']],
    ['a second host', [400], ['Host: other.example']],
    ['an upgrade', [200, 400], ['Connection: Upgrade', 'Upgrade: websocket']],
    ['another expectation', [200, 417], ['Expect: something']],
    ['a range', [200], ['Range: bytes=0-1']],
    ['a condition', [200], ['If-None-Match: *']],
    ['an override of the method', [200], ['X-HTTP-Method-Override: DELETE']],
    ['a forwarded address', [200], ['X-Forwarded-For: 203.0.113.7']],
    ['a second Accept that wants nothing', [200, 406], ['Accept: text/html;q=0']],
  ]
}

const methods = ['TRACE', 'PROPFIND', 'PURGE', 'get', 'DELETE', 'PATCH', 'PUT', 'LINK', 'G\u0000T']

const authorizations = [
  '',
  'Bearer',
  'Bearer  ',
  `Bearer ${'x'.repeat(10_000)}`,
  'Bearer \u00ff',
  'Basic eDp5',
  'Digest',
  'Digest ,,,,',
  'Digest username="a"',
  'Digest username="a", realm="svc-admin", nonce="x", uri="/", response="x", qop=auth, nc=00000001, cnonce="x"',
  `Digest username="${'\\"'.repeat(2000)}`,
  `Digest ${'a=b,'.repeat(2000)}`,
  'Digest username="orgowner", realm="svc-admin", nonce="AAAA", uri="*", response="00000000000000000000000000000000", qop=auth, nc=ffffffff, cnonce="x"',
  'Digest username="\u0000", realm="svc-admin", nonce="", uri="", response="", qop="", nc="", cnonce=""',
]

function withAuthorization(path: string, line: string): HostileRequest {
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: ${v2}\r\nAuthorization: ${line}\r\n\r\n`
  return {
    name: `authorization: ${line.slice(0, 60)}`,
    bytes: Buffer.from(head, 'latin1'),
    expected: [400, 401],
  }
}

/** Requests that aren't valid HTTP. */
function wires(path: string): HostileRequest[] {
  const of = (name: string, text: string, expected: readonly number[] = [400]) => ({
    name: `wire: ${name}`,
    bytes: Buffer.from(text, 'latin1'),
    expected,
  })
  return [
    of('garbage', '\u0016\u0003\u0001\u0002\u0000\r\n\r\n'),
    of('only a line', 'HELLO\r\n\r\n'),
    of('HTTP/0.9', 'GET /\r\n\r\n', [400, 404]),
    of('HTTP/1.0', `GET ${path} HTTP/1.0\r\n\r\n`, [401]),
    of('HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    of('HTTP/9.9', `GET ${path} HTTP/9.9\r\nHost: x\r\n\r\n`),
    of('no host', `GET ${path} HTTP/1.1\r\n\r\n`),
    of('HTTP/1.0 with two hosts', `GET ${path} HTTP/1.0\r\nHost: x\r\nhost: x\r\n\r\n`),
    ...['', 'x y', 'x/y', 'u@x', 'x:80:80', 'x:y', '[::1', '%zz', 'http://x'].map((host) =>
      of(`the host '${host}'`, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
    ),
    ...['x:', 'X_1.example:80', '[::1]:80', '%41', '10.0.0.1'].map((host) =>
      of(`the good host '${host}'`, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [401]),
    ),
    of(
      'a bad chunk',
      `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      [400, 401],
    ),
    of(
      'a huge chunk',
      `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`,
      [400, 401],
    ),
    of('CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example\r\n\r\n', [0, 400, 404, 405]),
    of('a space in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'),
    of('a tab in the target', 'GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n'),
    of('a NUL in the target', 'GET /a\u0000b HTTP/1.1\r\nHost: x\r\n\r\n'),
  ]
}
