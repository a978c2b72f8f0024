/** The part of OpenAPI 3.1 that the bundles use, as plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** How firmly a fact stands: in the source, chosen by us where it is silent, or left open. */
export type Strength = 'stated' | 'decided' | 'open'

export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const
export type HttpMethod = (typeof methods)[number]

/** Keywords of a schema whose members are schemas with names. */
export const schemaMaps = ['properties', 'patternProperties', 'dependentSchemas', '$defs'] as const

/** Members whose own keys are names of our choosing: a property that is called `description` is no description. */
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
  'x-strength'?: Strength
  'x-source'?: string
  /** Keywords of this schema that were decided where the schema itself is stated, each with its decision. */
  'x-decided'?: Record<string, string>
}

export interface Example {
  $ref?: string
  summary?: string
  value?: Json
}

export interface MediaType {
  schema: Schema
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
  'x-strength'?: Strength
  'x-source'?: string
}

export interface Deprecation {
  /** Absent: the operation is deprecated in every generation. */
  generation?: string
  date: string
  sunset?: string
  /** An operation, or a version of one as `operationId@version`. */
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
  /** What was decided of it, each with its decision: its `address`, `success` status, `roles` or `deprecation`. */
  'x-decided'?: Record<string, string>
  'x-roles'?: string[]
  'x-errors'?: string[]
  'x-failure'?: Failure
  'x-paged'?: boolean
  /** Whether a repetition leaves the same state (RFC 9110 §9.2.2), where the method says otherwise; no harm is not enough. */
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

/** One version of the API: a document of its own. */
export interface VersionFact {
  id: string
  generation: string
  folder: string
  mediaType: string
  status: 'current' | 'superseded'
}

/** Members of a fact that are weaker than its strength, each with its decision. */
export type DecidedFields = Record<string, string>

export interface ErrorCodeFact {
  status: number
  appliesTo: string
  strength: Strength
  source: string
  when: string
  detail: string
  /** What it says in a generation that says it otherwise. */
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
  /** Those that the source shows; the others, and every move, are decided. Absent where all of it is decided. */
  shown?: string[]
  /** The lifecycle that it shows in its own words, without one of its own. */
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

/** A promise that an implementation must keep. */
export interface Requirement {
  /** `<area or operationId>.<promise>`: semantic, never positional, never reused. */
  id: string
  area: string
  strength: Strength
  /** One sentence. */
  text: string
  /** Sections of the source, decisions, or sections of RFCs. */
  source: string[]
  generation?: string
  since?: string
  until?: string
  /** Operations that it is about; absent: every one that it can apply to. */
  operations?: string[]
  /** Facts that it accounts for, as `schema:Alert.status`, `parameter:listAlerts.status`, `limit:nLogs` … */
  covers?: string[]
  /** Why no implementation can be tested for it from outside. */
  excluded?: string
  /** Rows of other versions in the place of which this one stands: the same call comes to something else. */
  replaces?: string[]
  /** Rows of other versions that say the same, on another ground. */
  repeats?: string[]
  /** What shows callers, without this row, that it begins or ends between two versions. */
  shownBy?: string
}

/** One thing that the source or a decision says, in our own words. */
export interface LedgerEntry {
  /** The section, or the heading of the decision, and what it is about: `4.3/toggleAlertConfig/role`. */
  key: string
  says: string
  /** Why it was decided so; a sentence, for readers. */
  because?: string
  strength: Strength
  /** What in the documents carries it: `schema:Alert.status`, `limit:nLogs`, `requirement:<id>` … */
  facts?: string[]
  /**
   * What the facts of the first one's kind must say there: keywords of a schema, roles, method and path. After
   * `includes` comes a list that must have the values among others.
   */
  holds?: JsonObject
  /** The documents that must have the facts; `2024-05-30+` is that date and every later one. */
  in?: string[]
  /** No other document may have them. */
  only?: boolean
  /** Why no requirement is needed: the entry says nothing that an implementation could get wrong. */
  excluded?: string
}

/** The demo organisation: a second one, a credential for every role, a cluster of every kind. */
export type Demo = Record<string, JsonObject[]>

/**
 * What a change means to a program written against the older document:
 * `breaking` it may stop working, `deprecating` it works and should move, `additive` it works and could do more,
 * `editorial` nothing on the wire changes.
 */
export type ChangeClass = 'breaking' | 'deprecating' | 'additive' | 'editorial'

/** One difference between two documents. */
export interface Change {
  /** Rule and place: what an exemption names. Stable as long as the place is. */
  id: string
  class: ChangeClass
  rule: string
  /** JSON Pointer into the newer document or, for what it no longer has, into the older. */
  location: string
  /** Ids of the operations that are concerned, none when all are. */
  operations: string[]
  /** One sentence. */
  text: string
}

/** What changes for whoever moves from one version to another. */
export interface VersionChanges {
  before: string
  after: string
  changes: Change[]
}

/** A call of a workflow, or another workflow. */
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
