import { asNode, asText, type JsonNode } from '../rules/read/json.ts'
import type { ChangeClass } from './change.ts'
import type { Comparison, Pair } from './comparison.ts'

/** Classifies the removal of an operation. Removing it before its announced sunset is breaking. */
export function removalClass(operation: JsonNode, today: string): ChangeClass {
  const sunset = sunsetOf(operation)
  return sunset !== '' && sunset <= today ? 'deprecating' : 'breaking'
}

function sunsetOf(operation: JsonNode): string {
  return asText(operation['x-sunset'] ?? asNode(operation['x-deprecation']).sunset)
}

export function compareLifecycle({ older, newer }: Pair, { collector }: Comparison): void {
  const say = (kind: ChangeClass, rule: string, text: string): void =>
    collector.add(kind, rule, newer.path, text, newer.id)
  const [was, is] = [older, newer].map(({ value }) => value.deprecated === true)
  if (!was && is) say('deprecating', 'operation-deprecated', `The operation ${newer.id} is deprecated.`)
  if (was && !is)
    say('additive', 'operation-undeprecated', `The operation ${newer.id} is no longer deprecated.`)
  const [old, now] = [older, newer].map(({ value }) => sunsetOf(value))
  if (old === now) return
  const text = `The sunset date changed from ${old || '(none)'} to ${now || '(none)'}.`
  if (old === '') say('deprecating', 'sunset-set', text)
  else if (now === '' || (now ?? '') > (old ?? '')) say('additive', 'sunset-postponed', text)
  else say('breaking', 'sunset-brought-forward', text)
}
