// Lint rules for the OpenAPI documents, used by `npx spectral lint`, editors and `npm run lint -w spec`.
// Run `npm run build -w spec` first to bundle the rules in spec/rules.
import { oas } from '@stoplight/spectral-rulesets'
import ownRules from '@svc-admin/spec/spectral'

/** Rules from `spectral:oas` that are turned off, with the reasons. */
const switchedOff = {
  // `examples-valid` runs the same checks 60 times as fast and also checks defaults, parameters and headers.
  'oas3-valid-media-example': 'off',
  'oas3-valid-schema-example': 'off',
  // Spectral's copy of the OpenAPI 3.1 schema rejects a Path Item `$ref` (stoplightio/spectral#2655, #2844).
  // The copy also doesn't support `license.identifier` and newer keywords (#2855, #2739).
  // Redocly's `struct` rule does the same checks.
  'oas3-schema': 'off',
  // OpenAPI 3.1 allows keywords next to `$ref`. This rule was written for OpenAPI 3.0 but also runs on 3.1 documents.
  'no-$ref-siblings': 'off',
  // This rule also counts references from unused components.
  // Our `used-components` rule instead follows references from the operations.
  'oas3-unused-component': 'off',
  // This rule requires `items` in every array.
  // In OpenAPI 3.1, an array can use `prefixItems` instead of `items`, or omit both.
  // The `array-bounds` and `named-object-schemas` rules check our arrays.
  'array-items': 'off',
  // This rule visits the whole resolved document.
  // In the unresolved document, the rule reports referenced examples as empty.
  // The `examples-present` rule detects examples without a value.
  // Redocly detects examples with two values.
  'oas3-examples-value-or-externalValue': 'off',
}

/**
 * Rules that visit every node, and therefore run on the unresolved document. Resolving the references would copy each
 * component everywhere it is used and expand 1 MB to 100 MB. In the unresolved document, these rules report the same
 * problems, but at the component.
 */
const unresolved = [
  'duplicated-entry-in-enum',
  'typed-enum',
  'no-eval-in-markdown',
  'no-script-tags-in-markdown',
  'oas3_2-no-deprecated-xml-attribute',
]

export default {
  extends: [
    [oas, 'recommended'],
    [ownRules, 'all'],
  ],
  rules: {
    ...switchedOff,
    ...Object.fromEntries(unresolved.map((name) => [name, { ...oas.rules[name], resolved: false }])),
  },
}
