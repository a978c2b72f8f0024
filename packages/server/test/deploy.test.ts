import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { optionSpecs, variableOf } from '../src/options.ts'

const read = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8')
const variables = Object.keys(optionSpecs).map(variableOf)
const named = (text: string) => [...text.matchAll(/SVC_ADMIN_\w+/g)].map(([name]) => name)

/** Every value within one, by its path. */
function* values(value: unknown, path: string): Generator<[string, unknown]> {
  yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) yield* values(member, `${path}/${name}`)
}

describe('the container file', () => {
  const text = read('Dockerfile')

  it('has nothing that its linter finds', () => {
    expect(validate(text)).toEqual([])
    expect(validate(text.replace('USER node', 'USR node'))).not.toEqual([])
  })

  it('runs as nobody special, with the options that there are', () => {
    expect(text).toMatch(/^USER node$/m)
    expect(variables).toEqual(expect.arrayContaining(named(text)))
  })
})

describe('the compose file', () => {
  const text = read('compose.yaml')
  const { services, volumes } = parse(text)

  it('starts the server once the database is ready, and holds no password', () => {
    expect(services.server.depends_on.database.condition).toBe('service_healthy')
    expect(services.database.healthcheck.test[0]).toBe('CMD-SHELL')
    expect(Object.keys(volumes)).toEqual(['data'])
    for (const [path, value] of values(services, '')) {
      if (/password/i.test(path)) expect(value).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
    }
  })

  it('offers the API on this machine alone, with the options that there are', () => {
    expect(services.server.ports).toEqual(['127.0.0.1:8080:8080'])
    expect(variables).toEqual(expect.arrayContaining(named(text)))
  })
})

describe('the Kubernetes example', () => {
  const text = read('kubernetes/server.yaml')
  const documents = parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const [deployment, service, budget] = documents
  const { spec } = deployment.spec.template
  const [container] = spec.containers

  it('is of resources that there are, each with a name', () => {
    expect(documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'apps/v1 Deployment',
      'v1 Service',
      'policy/v1 PodDisruptionBudget',
    ])
    for (const { metadata } of documents) expect(metadata.name).toMatch(/^[a-z][a-z-]+$/)
  })

  it('selects its own pods everywhere', () => {
    const { labels } = deployment.spec.template.metadata
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(service.spec.selector).toEqual(labels)
    expect(budget.spec.selector.matchLabels).toEqual(labels)
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name)
  })

  it('runs several replicas without rights, and waits until what is in flight is answered', () => {
    expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.minAvailable)
    expect(spec.securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    })
    const pause = 5
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      optionSpecs.stopTimeout.default + pause * 1000,
    )
    expect([container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path]).toEqual([
      '/healthz',
      '/readyz',
    ])
  })

  it('sets the options that there are, the address of the database from a secret', () => {
    expect(variables).toEqual(expect.arrayContaining(named(text)))
    const database = container.env.find(({ name }: { name: string }) => name === variableOf('database'))
    expect(database.valueFrom.secretKeyRef.key).toBe('url')
  })
})
