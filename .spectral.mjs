// The lint rules of our documents for `npx spectral lint`, editors and `npm run lint -w spec`. Run
// `npm run build -w spec` first, which bundles the rules in spec/rules.
import { oas } from '@stoplight/spectral-rulesets'
import ownRules from '@svc-admin/spec/spectral'

/** Rules of `spectral:oas` that are turned off, with reasons. */
const switchedOff = {
  // examples-valid makes the same checks 60 times as fast, and also checks defaults, parameters and headers.
  'oas3-valid-media-example': 'off',
  'oas3-valid-schema-example': 'off',
  // Its copy of the 3.1 schema rejects a Path Item `$ref` (stoplightio/spectral#2655, #2844), and doesn't
  // support `license.identifier` and newer keywords (#2855, #2739). Redocly's `struct` checks the same.
  'oas3-schema': 'off',
  // In OpenAPI 3.1, siblings of `$ref` are valid. The rule is for 3.0, but runs for both versions.
  'no-$ref-siblings': 'off',
  // Counts references from unused components. used-components starts from the operations.
  'oas3-unused-component': 'off',
  // Requires `items` in every array. OpenAPI 3.1 also has `prefixItems`, and an array without either is valid JSON
  // Schema. array-bounds and named-object-schemas check our arrays.
  'array-items': 'off',
  // Visits all content of the resolved document. In the unresolved document, it reports referenced examples as empty.
  // examples-present detects examples without a value, and Redocly detects examples with two values.
  'oas3-examples-value-or-externalValue': 'off',
}

/**
 * Rules that visit every node. In the resolved document, they would visit a component at each reference, which turns 1
 * MB into 100 MB. In the unresolved document, they report the same problems at the component.
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
