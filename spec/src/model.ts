/** The part of OpenAPI 3.1 that the bundles use, as plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/**
 * A fact's strength. `stated` means that the fact comes from the specification source. `decided` means that
 * the source doesn't specify it, so it is our decision. `open` means that it is unspecified.
 */
export type Strength = 'stated' | 'decided' | 'open'

export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const
export type HttpMethod = (typeof methods)[number]

/** Schema keywords that contain named subschemas. */
export const schemaMaps = ['properties', 'patternProperties', 'dependentSchemas', '$defs'] as const

/** Fields that contain user-defined names as keys. For example, a property named `description` isn't a description. */
export const namedFields: ReadonlySet<string> = new Set([
  ...schemaMaps,
  'schemas',
  'parameters',
  'headers',
  'responses',
  'paths',
  'content',
])

export interface Schema {
  [key: string]: unknown
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  default?: Json
  properties?: Record<string, Schema>
  required?: string[]
  dependentRequired?: Record<string, string[]>
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  enum?: Json[]
  examples?: Json[]
  readOnly?: boolean
  writeOnly?: boolean
  'x-known-values'?: (string | number)[]
  /** The fields that useful requests contain, although they are optional. */
  'x-recommended'?: string[]
  'x-strength'?: Strength
  'x-source'?: string
  /** The keywords in a schema from the specification source that are our decision, each with its decision. */
  'x-decided'?: Record<string, string>
}

export interface Example {
  $ref?: string
  summary?: string
  value?: Json
}

export interface MediaType {
  /** Omitted if a response has no body. */
  schema?: Schema
  examples?: Record<string, Example>
}

export interface Header {
  $ref?: string
  description?: string
  required?: boolean
  schema?: Schema
  example?: Json
}

export interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, Header>
  content?: Record<string, MediaType>
  'x-error-codes'?: string[]
}

export interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: Json
  /** These are used instead of `example` if the operations with this parameter show different resources. */
  examples?: Record<string, Example>
  'x-strength'?: Strength
  'x-source'?: string
}

export interface Deprecation {
  /** If omitted, the operation is deprecated in every generation. */
  generation?: string
  date: string
  sunset?: string
  /** An operation's ID, or one of its versions as `operationId@version`. */
  successor?: string
  source?: string
}

export interface Failure {
  code: string
  detail: string
  parameters?: string[]
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { description?: string; required?: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response>
  security?: Record<string, string[]>[]
  deprecated?: boolean
  'x-strength': Strength
  'x-source': string
  /** Aspects that are our decision, each with its decision: `address`, `success` status, `roles` or `deprecation`. */
  'x-decided'?: Record<string, string>
  'x-roles'?: string[]
  'x-errors'?: string[]
  'x-failure'?: Failure
  'x-paged'?: boolean
  /**
   * Whether repeating the request results in the same state (RFC 9110 §9.2.2). Set only if this differs from the
   * method's default.
   */
  'x-idempotent'?: boolean
  'x-deprecation'?: Deprecation
  'x-sunset'?: string
  [key: `x-${string}`]: unknown
}

export type PathItem = { parameters?: Parameter[]; servers?: { url: string }[] } & {
  [method in HttpMethod]?: Operation
}

export interface Components {
  schemas: Record<string, Schema>
  parameters: Record<string, Parameter>
  responses: Record<string, Response>
  headers: Record<string, Header>
  securitySchemes: Record<string, JsonObject>
}

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; [key: string]: unknown }
  servers: { url: string; description?: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  components: Components
}

/** One version of the API, with its own document. */
export interface VersionFact {
  id: string
  generation: string
  folder: string
  mediaType: string
  status: 'current' | 'superseded'
}

/**
 * The fields of a fact that are our decision, although the fact itself has a higher strength. Each field has
 * its decision.
 */
export type DecidedFields = Record<string, string>

export interface ErrorCodeFact {
  status: number
  appliesTo: string
  strength: Strength
  source: string
  when: string
  detail: string
  /** The text for each generation that has a different text. */
  detailIn?: Record<string, string>
  parameters?: string[]
  decided?: DecidedFields
}

export interface StateMachineFact {
  title: string
  schema: string
  field: string
  open: boolean
  strength: Strength
  source: string
  values: string[]
  /**
   * The states from the specification source. All other states and all transitions are our decision. If
   * omitted, all states are our decision.
   */
  shown?: string[]
  /** The lifecycle that this lifecycle shows under different names. */
  viewOf?: string
  initial: string
  final: string[]
  transitions: {
    from: string
    to: string
    trigger: string
    when: string
    afterSeconds?: number
    strength: Strength
    source: string
  }[]
}

export interface Facts {
  generations: Record<string, { prefix: string; strength: Strength; source: string }>
  tokenEndpoint: { path: string; strength: Strength; source: string }
  versions: VersionFact[]
  errorCodes: Record<string, ErrorCodeFact>
  tokenErrors: Record<
    string,
    {
      status: number
      alsoStatus?: number
      description: string
      strength: Strength
      source: string
      decided?: DecidedFields
    }
  >
  limits: Record<string, { about: string; strength: Strength; source: string; [key: string]: Json }>
  roles: Record<
    string,
    {
      name: string
      scope: 'organization' | 'project'
      includes: string[]
      strength: Strength
      source: string
      decided?: DecidedFields
    }
  >
  states: Record<string, StateMachineFact>
  eventTypes: {
    families: Record<string, { title: string; values: string[] }>
    matcherFields: string[]
    matcherOperators: string[]
  }
}

/** A requirement that implementations must meet. */
export interface Requirement {
  /**
   * `<area or operationId>.<name>`. The ID describes the requirement. IDs don't depend on the requirement's
   * position and are never reused.
   */
  id: string
  area: string
  strength: Strength
  /** A single sentence. */
  text: string
  /** Sections of the specification source, decisions, or sections of RFCs. */
  source: string[]
  generation?: string
  since?: string
  until?: string
  /** The operations that the requirement applies to. If omitted, it applies to all relevant operations. */
  operations?: string[]
  /**
   * The facts that the requirement covers, such as `schema:Alert.status`, `parameter:listAlerts.status` or
   * `limit:nLogs`.
   */
  covers?: string[]
  /** The reason why the requirement can't be tested from outside. */
  excluded?: string
  /** Requirements in other versions that this requirement replaces. The same call behaves differently there. */
  replaces?: string[]
  /** Requirements in other versions that have the same content but a different source. */
  repeats?: string[]
  /** The part of the documents that shows callers that the requirement starts or ends between two versions. */
  shownBy?: string
}

/** One statement in the specification source or one decision, in our own words. */
export interface LedgerEntry {
  /** The section or the decision's heading, followed by the subject: `4.3/toggleAlertConfig/role`. */
  key: string
  says: string
  /** A sentence with the reason for the decision. */
  because?: string
  strength: Strength
  /** The facts that implement the statement: `schema:Alert.status`, `limit:nLogs`, `requirement:<id>` and others. */
  facts?: string[]
  /**
   * The expected content of the first fact, such as schema keywords, roles, or the method and path. For
   * `includes`, the fact's list must contain the given values.
   */
  holds?: JsonObject
  /** The documents that must contain the facts. `2024-05-30+` means this date and all later dates. */
  in?: string[]
  /** Whether no other document may contain the facts. */
  only?: boolean
  /**
   * The reason why the entry needs no requirement. For example, implementations may not be able to violate
   * the statement.
   */
  excluded?: string
}

/** The demo data: two organizations, credentials for every role, and a cluster of every type. */
export type Demo = Record<string, JsonObject[]>

/**
 * A change's effect on a program that was written for the older document:
 *
 * - `breaking`: the program may stop working.
 * - `review`: requests and responses remain valid, or the effect depends on their values, but generated code
 *   may change.
 * - `deprecating`: the program still works, but you should change it.
 * - `additive`: the program still works, and it could use a new feature.
 * - `editorial`: requests and responses don't change.
 */
export type ChangeClass = 'breaking' | 'review' | 'deprecating' | 'additive' | 'editorial'

/** One difference between two documents. */
export interface Change {
  /** The rule and the location, which exemptions use. The ID stays the same while the location stays the same. */
  id: string
  class: ChangeClass
  rule: string
  /** A JSON Pointer into the newer document or, for removals, into the older document. */
  location: string
  /** The IDs of the affected operations. Empty if the change affects all operations. */
  operations: string[]
  /** A single sentence. */
  text: string
}

/** The changes from one version to another. */
export interface VersionChanges {
  before: string
  after: string
  changes: Change[]
}

/** A call in a workflow, or another workflow. */
export interface WorkflowStep {
  stepId: string
  description?: string
  operationId?: string
  parameters?: { name: string; in?: string; value: Json }[]
  requestBody?: { contentType?: string; payload?: Json }
  successCriteria?: { condition: string }[]
  onFailure?: { name: string; type: string; retryAfter?: number; retryLimit?: number }[]
  outputs?: Record<string, string>
}

export interface Workflow {
  workflowId: string
  summary?: string
  description?: string
  inputs?: { required?: string[]; properties?: Record<string, Schema> }
  parameters?: { name: string; in?: string; value: Json }[]
  steps: WorkflowStep[]
  outputs?: Record<string, string>
}

/** The part of Arazzo 1.0 that the workflows use. */
export interface WorkflowDocument {
  arazzo: string
  info: { title: string; summary?: string; description?: string; version: string }
  sourceDescriptions: { name: string; url: string; type?: string }[]
  workflows: Workflow[]
}

/** A lint rule, as the documentation shows it. */
export interface LintRule {
  id: string
  /** The expectation, as a sentence. */
  message: string
  /** The problem that the rule prevents. */
  why: string
  /** `any`: for any OpenAPI 3.1 document. `style`: a convention. `ours`: depends on our extensions and versions. */
  scope: 'any' | 'style' | 'ours'
  /** Parts of documents, as YAML. */
  good: string
  bad: string
  /** JSON Pointers to the defects in the bad example. */
  findings: string[]
}

/** For each version, the version in which each path was last changed. `null` for paths that aren't versioned. */
export type Origins = Record<string, Record<string, string | null>>
