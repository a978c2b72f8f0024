/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/**
 * Whether a fact is binding, and where it comes from. `stated`: the fact comes from the specification source.
 * `decided`: the source doesn't specify it, so it is our decision. `open`: it is unspecified.
 */
export type Strength = 'stated' | 'decided' | 'open'

export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const
export type HttpMethod = (typeof methods)[number]

/** Schema keywords that map names to schemas. */
export const schemaMaps = ['properties', 'patternProperties', 'dependentSchemas', '$defs'] as const

/** Fields with user-defined names as keys. For example, a property named `description` isn't a description. */
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
  /** Optional fields that all useful requests contain. */
  'x-recommended'?: string[]
  'x-strength'?: Strength
  'x-source'?: string
  /** The decision behind each keyword. Set only if the rest of the schema comes from the specification source. */
  'x-decided'?: Record<string, string>
}

export interface Example {
  $ref?: string
  summary?: string
  value?: Json
}

export interface MediaType {
  /** The schema of the body. Omitted if there is no body. */
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
  /** Used instead of `example` if the operations that share this parameter have examples for different resources. */
  examples?: Record<string, Example>
  'x-strength'?: Strength
  'x-source'?: string
}

export interface Deprecation {
  /** The generation in which the operation is deprecated. If omitted, it is deprecated in every generation. */
  generation?: string
  date: string
  sunset?: string
  /** The ID of the operation to use instead, or `operationId@version` for a particular version. */
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
  /** The decisions for parts of the operation: `address`, `success` (the status), `roles` or `deprecation`. */
  'x-decided'?: Record<string, string>
  'x-roles'?: string[]
  'x-errors'?: string[]
  'x-failure'?: Failure
  'x-paged'?: boolean
  /** Whether the operation is idempotent (RFC 9110 §9.2.2). Omitted if the method already implies this. */
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

/** A version of the API, which has its own document. */
export interface VersionFact {
  id: string
  generation: string
  folder: string
  mediaType: string
  status: 'current' | 'superseded'
}

/** The decision behind each field that is our own choice. The rest of the fact comes from the specification source. */
export type DecidedFields = Record<string, string>

export interface ErrorCodeFact {
  status: number
  appliesTo: string
  strength: Strength
  source: string
  when: string
  detail: string
  /** Alternative texts for some generations. */
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
   * The states that the specification source mentions. All other states, and all transitions, are our decision. If
   * omitted, all states are our decision.
   */
  shown?: string[]
  /** The ID of another lifecycle, if this lifecycle shows the same states under different names. */
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

/** A requirement that implementations of the API must meet. */
export interface Requirement {
  /**
   * The ID, in the format `<area or operationId>.<name>`. The name describes the requirement. The ID doesn't depend on
   * the requirement's position, and is never reused.
   */
  id: string
  area: string
  strength: Strength
  /** The requirement itself, as a single sentence. */
  text: string
  /** Where the requirement comes from: sections of the specification source, our decisions, or sections of RFCs. */
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
  /** Why the requirement can't be tested through the API. */
  excluded?: string
  /** Requirements of other versions that this requirement replaces, because the same call behaves differently there. */
  replaces?: string[]
  /** Requirements of other versions that have the same meaning but come from a different source. */
  repeats?: string[]
  /** The part of the documents that shows the difference, if the requirement applies only to some versions. */
  shownBy?: string
}

/** A statement in the specification source, or one of our decisions, in our own words. */
export interface LedgerEntry {
  /** The section of the source or the decision's heading, and the subject, such as `4.3/toggleAlertConfig/role`. */
  key: string
  says: string
  /** The reason for the decision, as a sentence. */
  because?: string
  strength: Strength
  /** The facts that result from the statement, such as `schema:Alert.status`, `limit:nLogs` or `requirement:<id>`. */
  facts?: string[]
  /**
   * What the first fact must contain, such as schema keywords, roles, or a method and path. `includes` contains values
   * that must be in the fact's list.
   */
  holds?: JsonObject
  /** The documents that must contain the facts. For example, `2024-05-30+` means this date and all later dates. */
  in?: string[]
  /** Whether only these documents may contain the facts. */
  only?: boolean
  /** Why there is no requirement for the entry. For example, it may be impossible to violate the statement. */
  excluded?: string
}

/** The demo data: two organizations, credentials for every role, and a cluster of every type. */
export type Demo = Record<string, JsonObject[]>

/**
 * A change's effect on a program that was written for the older document:
 *
 * - `breaking`: the program may stop working.
 * - `review`: requests and responses remain valid but generated code may change, or the effect depends on the values
 *   that are sent.
 * - `deprecating`: the program still works, but you should change it.
 * - `additive`: the program still works, and it could use a new feature.
 * - `editorial`: requests and responses don't change.
 */
export type ChangeClass = 'breaking' | 'review' | 'deprecating' | 'additive' | 'editorial'

/** A difference between two documents. */
export interface Change {
  /**
   * The rule and the location of the change. Exemptions use this ID. If the change moves to a different location, the
   * ID changes.
   */
  id: string
  class: ChangeClass
  rule: string
  /**
   * The location of the change, as a JSON Pointer into the newer document. For removals, it points into the older
   * document.
   */
  location: string
  /** The IDs of the operations that the change affects. Empty if it affects all operations. */
  operations: string[]
  /** A sentence that describes the change. */
  text: string
}

/** All changes between two versions. */
export interface VersionChanges {
  before: string
  after: string
  changes: Change[]
}

/** A step in a workflow: a call or another workflow. */
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

/** An Arazzo 1.0 document, limited to the features that our workflows use. */
export interface WorkflowDocument {
  arazzo: string
  info: { title: string; summary?: string; description?: string; version: string }
  sourceDescriptions: { name: string; url: string; type?: string }[]
  workflows: Workflow[]
}

/** The documentation of a lint rule. */
export interface LintRule {
  id: string
  /** What the rule expects, as a sentence. */
  message: string
  /** The problem that the rule prevents. */
  why: string
  /**
   * The documents that the rule applies to. `any`: any OpenAPI 3.1 document. `style`: the rule is a convention. `ours`:
   * the rule needs our extensions and versions.
   */
  scope: 'any' | 'style' | 'ours'
  /** An example that the rule accepts, as YAML. */
  good: string
  bad: string
  /** JSON Pointers to the defects in the bad example. */
  findings: string[]
}

/** For each version and path, the version in which the path last changed. `null` if the path has no versions. */
export type Origins = Record<string, Record<string, string | null>>
